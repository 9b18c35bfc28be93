/** Imports into one repository, for those who administer it. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/imports.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { ImportsTable, lookWhileSomeRun } from "./imports-table.tsx";

export function RepositoryImportsPage() {
  const { full_name: repository } = useRepository();
  const pages = usePages(
    ["imports", repository],
    (query) => api.GET("/imports", { params: { query: { ...query, repository } } }),
    lookWhileSomeRun,
  );
  return (
    <Page title={text.title} within={repository} lead={text.intoLead}>
      <ImportsTable pages={pages} empty={<EmptyState title={text.noneInto} />} />
    </Page>
  );
}
