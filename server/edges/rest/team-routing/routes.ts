/** Binds the operations on the routing of a team. To be called before those on teams, whose `*team` would match them. */
import { getTeamRouting, setTeamRouting } from "@forgeline/schemas/team-routing/routes.ts";
import type { TeamRoutingService } from "../../../domains/collaboration/domain.ts";
import type { GrantedTeam } from "../../../domains/policy/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerTeamRoutingRoutes(
  app: RouteBinder,
  { teamRouting }: { teamRouting: TeamRoutingService },
): void {
  app.bindTeam(getTeamRouting, async (input) => ({
    body: await teamRouting.get(input.actor, grantedOf(input)),
  }));
  app.bindTeam(setTeamRouting, async (input) => ({
    body: await teamRouting.set(input.actor, grantedOf(input), input.body),
  }));
}

function grantedOf({ organization, role, team, teamRole }: GrantedTeam): GrantedTeam {
  return { organization, role, team, teamRole };
}
