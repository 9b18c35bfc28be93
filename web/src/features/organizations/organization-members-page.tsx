/** Members of an organization and their roles. */
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { ChoiceInRow } from "../../ui/choice-in-row.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField } from "../../ui/field.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Person } from "../../ui/person.tsx";
import { Time } from "../../ui/time.tsx";
import { InviteButton } from "./invite-button.tsx";
import { RoleOptions, roleOf } from "./role-options.tsx";
import { useOrganization } from "./use-organization.ts";

export function OrganizationMembersPage() {
  const { org, role } = useOrganization();
  const pages = usePages(["members", org], (query) =>
    api.GET("/orgs/{org}/members", { params: { path: { org }, query } }),
  );
  return (
    <Page
      title={text.people}
      within={org}
      lead={text.peopleLead}
      actions={
        role === "owner" ? (
          <>
            <AddMember />
            <InviteButton />
          </>
        ) : null
      }
    >
      <PagedTable
        pages={pages}
        caption={text.people}
        keyOf={({ user }) => user.id}
        empty={<EmptyState title={text.nobody} />}
        columns={[
          { title: text.name, wide: true, cell: ({ user }) => <Person user={user} /> },
          { title: text.role, cell: (member) => <Role member={member} /> },
          { title: text.since, cell: (member) => <Time at={member.created_at} /> },
          { title: "", label: text.actions, cell: ({ user }) => <Remove username={user.username} /> },
        ]}
      />
    </Page>
  );
}

function AddMember() {
  const { org } = useOrganization();
  return (
    <FormButton
      label={text.addPerson}
      title={text.addPerson}
      lead={text.addPersonLead}
      submit={text.add}
      absent={{ username: text.noSuchPerson }}
      run={(values) =>
        api.PUT("/orgs/{org}/members/{username}", {
          params: { path: { org, username: (values["username"] ?? "").trim() } },
          body: { role: roleOf(values["role"]) },
        })
      }
    >
      {(problems) => (
        <>
          <NameInput name="username" label={text.userName} autoFocus problem={problems["username"]} />
          <SelectField name="role" label={text.role} defaultValue="member">
            <RoleOptions />
          </SelectField>
        </>
      )}
    </FormButton>
  );
}

function Role({ member: { user, role } }: { member: Schemas["OrganizationMember"] }) {
  const { org, role: own } = useOrganization();
  if (own !== "owner") return text.roles[role];
  return (
    <ChoiceInRow
      label={text.roleOf(user.username)}
      value={role}
      choices={text.roles}
      said={text.saved}
      run={(value) =>
        api.PUT("/orgs/{org}/members/{username}", {
          params: { path: { org, username: user.username } },
          body: { role: roleOf(value) },
        })
      }
    />
  );
}

/** Owners remove anybody; everybody may go. */
function Remove({ username }: { username: string }) {
  const { org, role } = useOrganization();
  const session = useSession();
  const navigate = useNavigate();
  const isOwn = session?.user.username === username;
  if (!isOwn && role !== "owner") return null;
  const remove = () => api.DELETE("/orgs/{org}/members/{username}", { params: { path: { org, username } } });
  return isOwn ? (
    <ConfirmButton
      label={text.leave}
      title={text.leaveTitle(org)}
      run={remove}
      gone={() => [org]}
      onDone={() => navigate("/orgs")}
    >
      <p>{text.leaveHint}</p>
    </ConfirmButton>
  ) : (
    <ConfirmButton
      label={text.remove}
      name={text.removeName(username)}
      title={text.removePerson(username)}
      said={text.removed(username)}
      run={remove}
    >
      <p>{text.removePersonHint}</p>
    </ConfirmButton>
  );
}
