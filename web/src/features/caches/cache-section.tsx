/** What jobs of a run did with their caches. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { Pages } from "../../api/use-pages.ts";
import { text } from "../../text/caches.ts";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatBytes } from "../../ui/size.ts";
import type { Column } from "../../ui/table.tsx";
import styles from "./caches.module.css";

type CacheUse = Schemas["CacheUse"];

const columns: Column<CacheUse>[] = [
  { title: text.job, cell: ({ job }) => job.label },
  { title: text.key, wide: true, cell: ({ key }) => <span className={styles.key}>{key}</span> },
  {
    title: text.restored,
    cell: ({ restored }) => <span className={styles.key}>{restoredText(restored)}</span>,
  },
  { title: text.saved, cell: ({ saved }) => (saved ? formatBytes(saved.size) : text.nothing) },
];

export function CacheSection({ pages }: { pages: Pages<CacheUse> }) {
  return (
    <section className={styles.section} aria-labelledby="caches">
      <h2 id="caches">{text.title}</h2>
      <PagedTable
        pages={pages}
        caption={text.title}
        columns={columns}
        keyOf={({ job, key, at }) => `${job.id} ${key} ${at}`}
        empty={null}
        dense
      />
    </section>
  );
}

function restoredText(restored: CacheUse["restored"]): string {
  if (!restored) return text.nothing;
  const size = formatBytes(restored.size);
  return restored.exact ? text.exact(size) : text.other(restored.key, size);
}
