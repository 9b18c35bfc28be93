/** Who is in a team, itself or by a team in it. */
import { useId } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { ChoiceInRow } from "../../ui/choice-in-row.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Person } from "../../ui/person.tsx";
import { FromTeam } from "./from-team.tsx";
import { RoleOptions, teamRoleOf } from "./team-role-options.tsx";
import { useOrganization } from "./use-organization.ts";

interface TeamProps {
  team: string;
  mayManage: boolean;
}

export function TeamMembers({ team, mayManage }: TeamProps) {
  const { org } = useOrganization();
  const pages = usePages(["team-members", org, team], (query) =>
    api.GET("/orgs/{org}/teams/{team}/members", { params: { path: { org, team }, query } }),
  );
  return (
    <Section title={text.teamMembers} actions={mayManage ? <AddMember team={team} /> : null}>
      <PagedTable
        pages={pages}
        caption={text.teamMembers}
        keyOf={({ user }) => user.id}
        empty={<p>{text.noTeamMembers}</p>}
        columns={[
          { title: text.name, wide: true, cell: ({ user }) => <Person user={user} /> },
          {
            title: text.role,
            cell: (member) => <Role team={team} member={member} mayManage={mayManage} />,
          },
          {
            title: "",
            label: text.actions,
            cell: (member) =>
              mayManage && member.inherited_from === null ? (
                <Remove team={team} username={member.user.username} />
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

function Role({ team, member, mayManage }: TeamProps & { member: Schemas["TeamMember"] }) {
  const { org } = useOrganization();
  const { user, role, inherited_from: from } = member;
  if (from !== null) return <FromTeam team={from} />;
  if (!mayManage) return <span>{text.teamRoles[role]}</span>;
  return (
    <ChoiceInRow
      label={text.roleOf(user.username)}
      value={role}
      choices={text.teamRoles}
      said={text.saved}
      run={(value) =>
        api.PUT("/orgs/{org}/teams/{team}/members/{username}", {
          params: { path: { org, team, username: user.username } },
          body: { role: teamRoleOf(value) },
        })
      }
    />
  );
}

function AddMember({ team }: { team: string }) {
  const { org } = useOrganization();
  return (
    <FormButton
      label={text.addTeamMember}
      title={text.addTeamMember}
      submit={text.add}
      absent={{ username: text.noSuchPerson }}
      run={(values) =>
        api.PUT("/orgs/{org}/teams/{team}/members/{username}", {
          params: { path: { org, team, username: (values["username"] ?? "").trim() } },
          body: { role: teamRoleOf(values["role"]) },
        })
      }
    >
      {(problems) => (
        <>
          <MemberField problem={problems["username"]} />
          <SelectField name="role" label={text.role} defaultValue="member">
            <RoleOptions />
          </SelectField>
        </>
      )}
    </FormButton>
  );
}

function MemberField({ problem }: { problem: string | undefined }) {
  const { org } = useOrganization();
  const listId = useId();
  const members = $api.useQuery("get", "/orgs/{org}/members", {
    params: { path: { org }, query: { per_page: 100 } },
  });
  return (
    <>
      <NameInput
        name="username"
        label={text.userName}
        hint={text.teamMemberHint}
        list={listId}
        problem={problem}
      />
      <datalist id={listId}>
        {members.data?.map(({ user }) => (
          <option key={user.id} value={user.username}>
            {user.name}
          </option>
        ))}
      </datalist>
    </>
  );
}

function Remove({ team, username }: { team: string; username: string }) {
  const { org } = useOrganization();
  return (
    <ConfirmButton
      label={text.remove}
      name={text.removeName(username)}
      title={text.removePerson(username)}
      said={text.removed(username)}
      run={() =>
        api.DELETE("/orgs/{org}/teams/{team}/members/{username}", {
          params: { path: { org, team, username } },
        })
      }
    />
  );
}
