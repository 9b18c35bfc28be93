/** Who was asked to join an organization. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField } from "../../ui/field.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { RoleOptions, roleOf } from "./role-options.tsx";
import { useOrganization } from "./use-organization.ts";

export function InvitationsPage() {
  const { org } = useOrganization();
  const pages = usePages(["invitations", org], (query) =>
    api.GET("/orgs/{org}/invitations", { params: { path: { org }, query } }),
  );
  return (
    <Page title={text.invitations} within={org} lead={text.invitationsLead} actions={<Invite />}>
      <PagedTable
        pages={pages}
        caption={text.invitations}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noInvitations}>{text.noInvitationsHint}</EmptyState>}
        columns={[
          { title: text.name, wide: true, cell: (row) => row.username },
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

function Invite() {
  const { org } = useOrganization();
  return (
    <FormButton
      label={text.invite}
      title={text.inviteTitle}
      kind="primary"
      run={(values) =>
        api.POST("/orgs/{org}/invitations", {
          params: { path: { org } },
          body: { username: (values["username"] ?? "").trim(), role: roleOf(values["role"]) },
        })
      }
    >
      {(problems) => (
        <>
          <NameInput name="username" label={text.userName} problem={problems["username"]} />
          <SelectField name="role" label={text.role} defaultValue="member">
            <RoleOptions />
          </SelectField>
        </>
      )}
    </FormButton>
  );
}
