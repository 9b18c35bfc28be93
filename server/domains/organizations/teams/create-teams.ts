/** Teams, their members and their grants, put together for the container. */
import { createTeamGrantService } from "./grant-service.ts";
import { createTeamMemberService } from "./member-service.ts";
import { createTeamService } from "./service.ts";

type Deps = Parameters<typeof createTeamService>[0] &
  Parameters<typeof createTeamMemberService>[0] &
  Parameters<typeof createTeamGrantService>[0];

export function createTeams(deps: Deps) {
  return {
    teams: createTeamService(deps),
    teamMembers: createTeamMemberService(deps),
    teamGrants: createTeamGrantService(deps),
  };
}
