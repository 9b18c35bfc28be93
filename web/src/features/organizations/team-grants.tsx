/** What a team may do with which repositories. */
import { useId } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { text as settings } from "../../text/repository-settings.ts";
import { ChoiceInRow } from "../../ui/choice-in-row.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { LevelOptions, levelOf } from "../repository-settings/level-options.tsx";
import { FromTeam } from "./from-team.tsx";
import { useOrganization } from "./use-organization.ts";

interface TeamProps {
  team: string;
  mayManage: boolean;
}

export function TeamGrants({ team, mayManage }: TeamProps) {
  const { org } = useOrganization();
  const pages = usePages(["team-repositories", org, team], (query) =>
    api.GET("/orgs/{org}/teams/{team}/repos", { params: { path: { org, team }, query } }),
  );
  return (
    <Section title={text.teamRepositories} actions={mayManage ? <Grant team={team} /> : null}>
      <PagedTable
        pages={pages}
        caption={text.teamRepositories}
        keyOf={({ repository }) => repository.id}
        empty={<p>{text.noGrants}</p>}
        columns={[
          {
            title: text.repository,
            wide: true,
            cell: ({ repository }) => <Link to={`/${repository.full_name}`}>{repository.name}</Link>,
          },
          {
            title: text.level,
            cell: (grant) => <Level team={team} grant={grant} mayManage={mayManage} />,
          },
          {
            title: "",
            label: text.actions,
            cell: (grant) =>
              mayManage && grant.inherited_from === null ? (
                <Withdraw team={team} repo={grant.repository.name} />
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

function Level({ team, grant, mayManage }: TeamProps & { grant: Schemas["ListedTeamRepository"] }) {
  const { org } = useOrganization();
  const { repository, permission, inherited_from: from } = grant;
  if (from !== null)
    return (
      <span>
        {settings.levels[permission]} <FromTeam team={from} />
      </span>
    );
  if (!mayManage) return <span>{settings.levels[permission]}</span>;
  return (
    <ChoiceInRow
      label={text.levelOn(repository.name)}
      value={permission}
      choices={settings.levels}
      said={text.saved}
      run={(value) =>
        api.PUT("/orgs/{org}/teams/{team}/repos/{repo}", {
          params: { path: { org, team, repo: repository.name } },
          body: { permission: levelOf(value) },
        })
      }
    />
  );
}

function Grant({ team }: { team: string }) {
  const { org } = useOrganization();
  return (
    <FormButton
      label={text.grant}
      title={text.grantTitle}
      absent={{ repo: text.noSuchRepository }}
      run={(values) =>
        api.PUT("/orgs/{org}/teams/{team}/repos/{repo}", {
          params: { path: { org, team, repo: (values["repository"] ?? "").trim() } },
          body: { permission: levelOf(values["permission"]) },
        })
      }
    >
      {(problems) => (
        <>
          <RepositoryField problem={problems["repo"]} />
          <SelectField name="permission" label={text.level} defaultValue="write">
            <LevelOptions />
          </SelectField>
        </>
      )}
    </FormButton>
  );
}

function RepositoryField({ problem }: { problem: string | undefined }) {
  const { org } = useOrganization();
  const listId = useId();
  const repositories = $api.useQuery("get", "/orgs/{org}/repos", {
    params: { path: { org }, query: { per_page: 100 } },
  });
  return (
    <>
      <NameInput name="repository" label={text.repository} list={listId} problem={problem} />
      <datalist id={listId}>
        {repositories.data?.map(({ id, name }) => (
          <option key={id}>{name}</option>
        ))}
      </datalist>
    </>
  );
}

function Withdraw({ team, repo }: { team: string; repo: string }) {
  const { org } = useOrganization();
  return (
    <ConfirmButton
      label={text.withdraw}
      name={text.withdrawName(repo)}
      title={text.withdrawTitle(repo)}
      run={() =>
        api.DELETE("/orgs/{org}/teams/{team}/repos/{repo}", { params: { path: { org, team, repo } } })
      }
    />
  );
}
