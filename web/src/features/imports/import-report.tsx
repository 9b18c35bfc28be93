/** What an import has left out or changed, and why. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/imports.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";

/** `version` changes whenever there is something new. */
export function ImportReport({ id, version }: { id: string; version: string }) {
  const pages = usePages(["import-report", id, version], (query) =>
    api.GET("/imports/{id}/report", { params: { path: { id }, query } }),
  );
  return (
    <Section title={text.report} lead={text.reportLead}>
      <PagedTable
        pages={pages}
        caption={text.report}
        keyOf={({ kind, source, reason }) => `${kind} ${source} ${reason}`}
        empty={<EmptyState title={text.nothingLeftOut} />}
        columns={[
          { title: text.kind, cell: ({ kind }) => kind.replaceAll("_", " ") },
          { title: text.there, cell: ({ source }) => source },
          { title: text.reason, wide: true, cell: ({ reason }) => reason },
        ]}
      />
    </Section>
  );
}
