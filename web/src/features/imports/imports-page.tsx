/** The own imports, newest first. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/imports.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { ImportArchives } from "./import-archives.tsx";
import { ImportsTable, lookWhileSomeRun } from "./imports-table.tsx";

export function ImportsPage() {
  const pages = usePages(
    ["imports"],
    (query) => api.GET("/imports", { params: { query } }),
    lookWhileSomeRun,
  );
  return (
    <Page title={text.title} lead={text.lead}>
      <p>
        <Link to="/new/import">{text.begin}</Link>
      </p>
      <ImportsTable pages={pages} empty={<EmptyState title={text.none} />} />
      <ImportArchives />
    </Page>
  );
}
