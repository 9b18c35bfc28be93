/** Binds the operations on teams. More specific paths come first, because `*team` would match them. */
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
import {
  presentTeam,
  presentTeamGrant,
  presentTeamMember,
  type TeamGrantService,
  type TeamMemberService,
  type TeamService,
} from "../../../domains/organizations/domain.ts";

export interface TeamRouteDeps {
  teams: TeamService;
  teamMembers: TeamMemberService;
  teamGrants: TeamGrantService;
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
    return { body: members.map((member) => presentTeamMember(member, organization, addresses)), total };
  });
  app.bindTeam(setTeamMember, async (input) => {
    const wanted = { username: input.params.username, role: input.body.role };
    const member = await teamMembers.set(input.actor, grantedOf(input), wanted);
    return { body: presentTeamMember(member, input.organization.name, addresses) };
  });
  app.bindTeam(removeTeamMember, (input) =>
    teamMembers.remove(input.actor, grantedOf(input), input.params.username),
  );
}

function bindRepositories(app: RouteBinder, { teamGrants, addresses }: TeamRouteDeps): void {
  app.bindTeam(listTeamRepositories, async (input) => {
    const { grants, total } = await teamGrants.list(input.actor, grantedOf(input), input.query);
    return { body: grants.map((grant) => presentTeamGrant(grant, addresses)), total };
  });
  app.bindTeam(grantTeamRepository, async (input) => {
    const wanted = { repository: input.params.repo, permission: input.body.permission };
    return {
      body: presentTeamGrant(await teamGrants.grant(input.actor, grantedOf(input), wanted), addresses),
    };
  });
  app.bindTeam(revokeTeamRepository, (input) =>
    teamGrants.revoke(input.actor, grantedOf(input), input.params.repo),
  );
}

function grantedOf({ organization, role, team, teamRole }: GrantedTeam): GrantedTeam {
  return { organization, role, team, teamRole };
}
