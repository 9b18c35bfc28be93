/** The own imports, newest first. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/imports.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { ImportState } from "./import-state.tsx";

const lookEveryMs = 2_000;

export function ImportsPage() {
  const pages = usePages(
    ["imports"],
    (query) => api.GET("/imports", { params: { query } }),
    (shown) => (shown.some(({ finished_at: at }) => at === null) ? lookEveryMs : false),
  );
  return (
    <Page title={text.title} lead={text.lead}>
      <p>
        <Link to="/new/import">{text.begin}</Link>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none} />}
        columns={[
          {
            title: text.source,
            wide: true,
            cell: ({ id, source, source_repository: name }) => (
              <Link to={`/-/imports/${id}`}>
                {text.sources[source]} {name}
              </Link>
            ),
          },
          { title: text.to, cell: ({ repository }) => repository },
          { title: text.begun, cell: ({ created_at: at }) => <Time at={at} /> },
          { title: text.state, cell: ({ state }) => <ImportState state={state} /> },
        ]}
      />
    </Page>
  );
}
