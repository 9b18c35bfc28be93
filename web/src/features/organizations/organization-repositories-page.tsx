/** What an organization is, and its repositories. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { RepositoryBadges } from "../repositories/repository-badges.tsx";
import { useOrganization } from "./use-organization.ts";

export function OrganizationRepositoriesPage() {
  const { organization, org, role } = useOrganization();
  const pages = usePages(["organization-repositories", org], (query) =>
    api.GET("/orgs/{org}/repos", { params: { path: { org }, query } }),
  );
  const mayCreate = role === "owner" || (role === "member" && organization.members_can_create_repositories);
  return (
    <Page
      title={text.repositories}
      within={org}
      lead={organization.description}
      actions={
        mayCreate ? (
          <ButtonLink to={`/new?owner=${org}`} kind="primary">
            {text.newRepository}
          </ButtonLink>
        ) : null
      }
    >
      <PagedTable
        pages={pages}
        caption={text.repositories}
        keyOf={({ id }) => id}
        empty={
          mayCreate ? (
            <EmptyState title={text.noRepositories}>{text.noRepositoriesHint}</EmptyState>
          ) : (
            <EmptyState title={text.noneVisible}>{text.noneVisibleHint}</EmptyState>
          )
        }
        columns={[
          {
            title: text.repository,
            cell: ({ name, full_name: fullName }) => <Link to={`/${fullName}`}>{name}</Link>,
          },
          { title: text.description, wide: true, cell: (row) => row.description },
          { title: text.visibility, cell: (row) => <RepositoryBadges repository={row} /> },
          { title: text.changed, cell: (row) => <Time at={row.updated_at} /> },
        ]}
      />
    </Page>
  );
}
