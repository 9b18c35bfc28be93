/** Operations on the routing of a team's notifications (`decisions.md`, "Collaboration"). */
import { route } from "../core/route.ts";
import { TeamParams } from "../teams/routes.ts";
import { TeamRouting, TeamRoutingSet } from "./resource.ts";

const path = "/orgs/:org/teams/*team/routing";
const tag = "teams";

export const getTeamRouting = route({
  id: "getTeamRouting",
  method: "get",
  path,
  tag,
  summary: "Where a team's notifications go",
  description: "For members of the team and of teams nested in it, and for owners.",
  access: "team_visible",
  scope: "org:read",
  params: TeamParams,
  status: 200,
  response: TeamRouting,
  errors: [],
});

export const setTeamRouting = route({
  id: "setTeamRouting",
  method: "put",
  path,
  tag,
  summary: "Choose where a team's notifications go",
  description:
    "For maintainers of the team and owners. It replaces what was chosen before; what is left out has its default. 409 where too many mails to confirm an address were asked for, or whoever reads there ended mails in the last 30 days.",
  access: "team_manage",
  scope: "org:admin",
  params: TeamParams,
  body: TeamRoutingSet,
  status: 200,
  response: TeamRouting,
  errors: ["conflict"],
});
