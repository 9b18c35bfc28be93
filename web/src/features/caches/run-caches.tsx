/** What the jobs of a run did with their caches. Nothing where there is nothing. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/caches.ts";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatBytes } from "../../ui/size.ts";
import type { Column } from "../../ui/table.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
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

/** `version` changes whenever a job of the run has ended. */
export function RunCaches({ runId, version }: { runId: string; version: string }) {
  const path = { ...useRepositoryPath(), id: runId };
  const pages = usePages(["run-caches", runId, version], (query) =>
    api.GET("/repos/{owner}/{repo}/pipelines/{id}/caches", { params: { path, query } }),
  );
  if (!pages.data || pages.data.length === 0) return null;
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
