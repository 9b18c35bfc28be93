/** One team: who is in it, what it may do, and the teams in it. */
import { Fragment } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { ChangeTeam, DeleteTeam, NewTeam } from "./team-forms.tsx";
import { TeamGrants } from "./team-grants.tsx";
import { TeamMembers } from "./team-members.tsx";
import { TeamTabs } from "./team-tabs.tsx";
import { TeamTree } from "./teams-page.tsx";
import { useMayManage } from "./use-may-manage.ts";
import { useOrganization } from "./use-organization.ts";
import { teamPath, useTeams } from "./use-teams.ts";

export function TeamPage({ path }: { path: string }) {
  const { org } = useOrganization();
  const team = $api.useQuery("get", "/orgs/{org}/teams/{team}", { params: { path: { org, team: path } } });
  return <QueryView query={team}>{(found) => <TeamView team={found} />}</QueryView>;
}

function TeamView({ team }: { team: Schemas["Team"] }) {
  const { org } = useOrganization();
  const path = teamPath(team);
  const mayManage = useMayManage(path);
  const teams = useTeams(org);
  return (
    <Page
      title={path}
      within={text.teamOf(org)}
      heading={
        <>
          <TeamName path={path} />{" "}
          {team.visibility === "secret" ? <Badge tone="warn">{text.secret}</Badge> : null}
        </>
      }
      lead={team.description}
      actions={
        mayManage ? (
          <>
            <ChangeTeam team={team} />
            <DeleteTeam team={team} />
          </>
        ) : null
      }
    >
      <TeamTabs org={org} team={path} />
      <TeamMembers team={path} mayManage={mayManage} />
      <TeamGrants team={path} mayManage={mayManage} />
      {mayManage || teams.data?.some(({ parent }) => parent === path) ? (
        <Section title={text.nested} actions={mayManage ? <NewTeam parent={path} /> : null}>
          {teams.data?.some(({ parent }) => parent === path) ? (
            <TeamTree teams={teams.data} parent={path} />
          ) : (
            <p>{text.noNested}</p>
          )}
        </Section>
      ) : null}
    </Page>
  );
}

/** Those above it lead to themselves. */
function TeamName({ path }: { path: string }) {
  const { org } = useOrganization();
  const names = path.split("/");
  return names.map((name, index) =>
    index === names.length - 1 ? (
      name
    ) : (
      <Fragment key={index}>
        <Link to={`/orgs/${org}/teams/${names.slice(0, index + 1).join("/")}`} data-inline>
          {name}
        </Link>
        /
      </Fragment>
    ),
  );
}
