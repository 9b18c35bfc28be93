/** Which jobs were given a secret. */
import { Link, useParams } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/secrets.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { useSecretOwner } from "./use-secret-owner.ts";

export function SecretPage() {
  const { at, path, name: owner, home } = useSecretOwner();
  const { name = "" } = useParams();
  const pages = usePages(["secret-uses", home, name], (query) =>
    api.GET(at("/{name}/uses"), { params: { path: { ...path, name }, query } }),
  );
  return (
    <Page title={name} within={owner} lead={text.usesLead}>
      <p>
        <Link to={home}>{text.title}</Link>
      </p>
      <PagedTable
        pages={pages}
        caption={text.uses}
        keyOf={({ job_id: job, attempt }) => `${job} ${attempt}`}
        empty={<EmptyState title={text.noUses} />}
        columns={[
          { title: text.used, cell: (use) => <Time at={use.used_at} /> },
          {
            title: text.run,
            wide: true,
            cell: (use) => (
              <Link to={`/${use.repository}/pipelines/${use.pipeline_number}`}>
                {use.repository}#{use.pipeline_number}
              </Link>
            ),
          },
          { title: text.job, wide: true, cell: (use) => use.job },
          { title: text.attempt, align: "end", cell: (use) => use.attempt },
        ]}
      />
    </Page>
  );
}
