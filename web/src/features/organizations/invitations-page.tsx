/** Open invitations to an organization. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { InviteButton } from "./invite-button.tsx";
import { useOrganization } from "./use-organization.ts";

export function InvitationsPage() {
  const { org } = useOrganization();
  const pages = usePages(["invitations", org], (query) =>
    api.GET("/orgs/{org}/invitations", { params: { path: { org }, query } }),
  );
  return (
    <Page title={text.invitations} within={org} lead={text.invitationsLead} actions={<InviteButton />}>
      <PagedTable
        pages={pages}
        caption={text.invitations}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noInvitations}>{text.noInvitationsHint}</EmptyState>}
        columns={[
          {
            title: text.name,
            wide: true,
            cell: (row) => <Link to={`/${row.username}`}>{row.username}</Link>,
          },
          { title: text.role, cell: (row) => text.roles[row.role] },
          { title: text.invitedBy, cell: (row) => row.invited_by ?? "–" },
          { title: text.ends, cell: (row) => <Time at={row.expires_at} /> },
          {
            title: "",
            label: text.actions,
            cell: ({ id, username }) => (
              <ConfirmButton
                label={text.revoke}
                name={text.revokeName(username)}
                title={text.revokeTitle(username)}
                run={() => api.DELETE("/orgs/{org}/invitations/{id}", { params: { path: { org, id } } })}
              />
            ),
          },
        ]}
      />
    </Page>
  );
}
