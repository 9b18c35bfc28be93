/** Binds the operations on teams. What is more special comes first: `*team` would take it. */
import type { TeamMember as ShownMember } from "@forgeline/schemas/teams/resource.ts";
import {
  createTeam,
  deleteTeam,
  getTeam,
  grantTeamRepository,
  listTeamMembers,
  listTeamRepositories,
  listTeams,
  removeTeamMember,
  revokeTeamRepository,
  setTeamMember,
  updateTeam,
} from "@forgeline/schemas/teams/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { GrantedTeam } from "../../../domains/policy/domain.ts";
import { createRepositoryShow, type RepositoryService } from "../../../domains/hosting/domain.ts";
import { presentUser } from "../../../domains/accounts/domain.ts";
import {
  type TeamGrantService,
  type TeamMember,
  type TeamMemberService,
  presentTeam,
  type TeamService,
} from "../../../domains/organizations/domain.ts";

export interface TeamRouteDeps {
  teams: TeamService;
  teamMembers: TeamMemberService;
  teamGrants: TeamGrantService;
  repositories: Pick<RepositoryService, "get" | "getMany" | "visibleNames">;
  addresses: Addresses;
}

export function registerTeamRoutes(app: RouteBinder, deps: TeamRouteDeps): void {
  bindMembers(app, deps);
  bindRepositories(app, deps);
  const { teams, addresses } = deps;
  app.bindOrganization(listTeams, async ({ actor, organization, role, query }) => {
    const { rows, total } = await teams.list(actor, { organization, role }, query);
    return { body: rows.map((row) => presentTeam(row, addresses)), total };
  });
  app.bindOrganization(createTeam, async ({ actor, organization, role, body }) => {
    const shown = presentTeam(await teams.create(actor, { organization, role }, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bindTeam(getTeam, async ({ team }) => ({ body: presentTeam(await teams.get(team.id), addresses) }));
  app.bindTeam(updateTeam, async (input) => ({
    body: presentTeam(await teams.update(input.actor, grantedOf(input), input.body), addresses),
  }));
  app.bindTeam(deleteTeam, (input) => teams.remove(input.actor, grantedOf(input)));
}

function bindMembers(app: RouteBinder, { teamMembers, addresses }: TeamRouteDeps): void {
  app.bindTeam(listTeamMembers, async (input) => {
    const { members, total } = await teamMembers.list(input.actor, grantedOf(input), input.query);
    const organization = input.organization.name;
    return { body: members.map((member) => presentMember(member, organization, addresses)), total };
  });
  app.bindTeam(setTeamMember, async (input) => {
    const wanted = { username: input.params.username, role: input.body.role };
    const member = await teamMembers.set(input.actor, grantedOf(input), wanted);
    return { body: presentMember(member, input.organization.name, addresses) };
  });
  app.bindTeam(removeTeamMember, (input) =>
    teamMembers.remove(input.actor, grantedOf(input), input.params.username),
  );
}

function bindRepositories(app: RouteBinder, deps: TeamRouteDeps): void {
  const { teams, teamGrants, repositories, addresses } = deps;
  const show = createRepositoryShow(deps);
  app.bindTeam(listTeamRepositories, async (input) => {
    const { rows, total } = await teamGrants.list(input.actor, grantedOf(input), input.query);
    const found = await repositories.getMany(rows.map((row) => row.repository_id));
    const holders = await teams.getMany(rows.map((row) => row.team_id));
    const granted = rows.flatMap(({ repository_id, team_id, team_path, permission, level }) => {
      const [repository, team] = [found.get(repository_id), holders.get(team_id)];
      if (!repository || !team) return [];
      const inherited_from = team_id === input.team.id ? null : `${input.organization.name}/${team_path}`;
      return [
        {
          team: presentTeam(team, addresses),
          repository: { ...repository, level },
          permission,
          inherited_from,
        },
      ];
    });
    const shown = await show.all(
      input.actor,
      granted.map(({ repository }) => repository),
    );
    const body = granted.flatMap((grant, i) => (shown[i] ? [{ ...grant, repository: shown[i] }] : []));
    return { body, total };
  });
  app.bindTeam(grantTeamRepository, async (input) => {
    const { permission } = input.body;
    const wanted = { repository: input.params.repo, permission };
    const { repository, level } = await teamGrants.grant(input.actor, grantedOf(input), wanted);
    const shown = await show.one(input.actor, await repositories.get(repository.id), level);
    return {
      body: { team: presentTeam(await teams.get(input.team.id), addresses), repository: shown, permission },
    };
  });
  app.bindTeam(revokeTeamRepository, (input) =>
    teamGrants.revoke(input.actor, grantedOf(input), input.params.repo),
  );
}

function grantedOf({ organization, role, team, teamRole }: GrantedTeam): GrantedTeam {
  return { organization, role, team, teamRole };
}

function presentMember({ user, row }: TeamMember, organization: string, addresses: Addresses): ShownMember {
  return {
    user: presentUser(user, addresses),
    role: row.role,
    inherited_from: row.inherited_path === null ? null : `${organization}/${row.inherited_path}`,
    created_at: row.created_at.toISOString(),
  };
}
