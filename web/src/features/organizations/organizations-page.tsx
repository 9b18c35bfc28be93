/** Organizations of the signed-in person. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { OpenInvitations } from "./open-invitations.tsx";

export function OrganizationsPage() {
  const pages = usePages(["own-organizations"], (query) => api.GET("/user/orgs", { params: { query } }));
  return (
    <Page
      title={text.organizations}
      lead={text.organizationsLead}
      actions={
        <ButtonLink to="/new/organization" kind="primary">
          {text.newOrganization}
        </ButtonLink>
      }
    >
      <OpenInvitations />
      <PagedTable
        pages={pages}
        caption={text.organizations}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noOrganizations}>{text.noOrganizationsHint}</EmptyState>}
        columns={[
          { title: text.name, cell: ({ name }) => <Link to={`/orgs/${name}`}>{name}</Link> },
          { title: text.displayName, wide: true, cell: (row) => row.display_name },
          { title: text.role, cell: ({ role }) => <Badge tone="plain">{text.roles[role]}</Badge> },
        ]}
      />
    </Page>
  );
}
