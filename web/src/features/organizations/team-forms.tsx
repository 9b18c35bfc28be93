/** Making, changing and deleting a team. */
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/organizations.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { useOrganization } from "./use-organization.ts";
import { teamPath, useTeams } from "./use-teams.ts";

type Team = Schemas["Team"];

export function NewTeam({ parent }: { parent: string | null }) {
  const { org } = useOrganization();
  const navigate = useNavigate();
  return (
    <FormButton
      label={text.newTeam}
      title={parent === null ? text.newTeam : text.newTeamIn(parent)}
      kind={parent === null ? "primary" : "normal"}
      submit={text.add}
      run={async (values) =>
        (
          await api.POST("/orgs/{org}/teams", {
            params: { path: { org } },
            body: { ...teamOf(values), parent },
          })
        ).data
      }
      onDone={(team) => team && navigate(`/orgs/${org}/teams/${teamPath(team)}`)}
    >
      {(problems) => <TeamFields problems={problems} />}
    </FormButton>
  );
}

export function ChangeTeam({ team }: { team: Team }) {
  const { org } = useOrganization();
  const navigate = useNavigate();
  const path = teamPath(team);
  return (
    <FormButton
      label={text.change}
      title={text.changeName(path)}
      submit={text.save}
      said={text.saved}
      run={async (values) => {
        const { parent = "" } = values;
        return (
          await api.PATCH("/orgs/{org}/teams/{team}", {
            params: { path: { org, team: path } },
            body: { ...teamOf(values), parent: parent === "" ? null : parent },
          })
        ).data;
      }}
      gone={(changed) => (changed && teamPath(changed) === path ? [] : [org, path])}
      onDone={(changed) => changed && navigate(`/orgs/${org}/teams/${teamPath(changed)}`, { replace: true })}
    >
      {(problems) => (
        <>
          <TeamFields team={team} problems={problems} />
          <ParentField team={team} problem={problems["parent"]} />
        </>
      )}
    </FormButton>
  );
}

export function DeleteTeam({ team }: { team: Team }) {
  const { org } = useOrganization();
  const navigate = useNavigate();
  const path = teamPath(team);
  return (
    <ConfirmButton
      label={text.deleteIt}
      title={text.deleteName(path)}
      said={text.deleted(path)}
      gone={() => [org, path]}
      run={() => api.DELETE("/orgs/{org}/teams/{team}", { params: { path: { org, team: path } } })}
      onDone={() => navigate(`/orgs/${org}/teams`)}
    >
      <p>{text.deleteTeamWarning}</p>
    </ConfirmButton>
  );
}

function TeamFields({ team, problems }: { team?: Team; problems: Record<string, string> }) {
  return (
    <>
      <NameInput
        name="name"
        label={text.name}
        hint={text.teamNameHint}
        defaultValue={team?.name}
        maxLength={100}
        problem={problems["name"]}
      />
      <TextField
        name="description"
        label={text.description}
        hint={text.optional}
        defaultValue={team?.description}
        maxLength={1000}
        problem={problems["description"]}
      />
      <CheckField
        name="secret"
        label={text.secret}
        hint={text.secretHint}
        defaultChecked={team?.visibility === "secret"}
      />
    </>
  );
}

/** No team can be moved into itself or into what it holds. */
function ParentField({ team, problem }: { team: Team; problem: string | undefined }) {
  const { org } = useOrganization();
  const own = teamPath(team);
  const others = (useTeams(org).data ?? [])
    .map(teamPath)
    .filter((path) => path !== own && !path.startsWith(`${own}/`));
  return (
    <SelectField
      name="parent"
      label={text.parent}
      key={others.length}
      defaultValue={team.parent ?? ""}
      problem={problem}
    >
      <option value="">{text.noParent}</option>
      {others.map((path) => (
        <option key={path}>{path}</option>
      ))}
    </SelectField>
  );
}

function teamOf(values: FormValues) {
  return {
    name: (values["name"] ?? "").trim(),
    description: values["description"] ?? "",
    visibility: values["secret"] === undefined ? ("visible" as const) : ("secret" as const),
  };
}
