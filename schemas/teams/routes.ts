/** Operations on teams. What begins under a team (`/members`, `/repos`) is declared before the team itself. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { restOfPath } from "../core/path.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import {
  ListedTeamRepository,
  Team,
  TeamCreate,
  TeamMember,
  TeamMemberSet,
  TeamRepository,
  TeamRepositoryGrant,
  TeamUpdate,
} from "./resource.ts";

const tag = "teams";
export const TeamParams = z.strictObject({
  ...OrganizationParams.shape,
  team: restOfPath("`parent/child`; slashes literal or as `%2F`."),
});
const TeamMemberParams = z.strictObject({ ...TeamParams.shape, username: z.string().max(201) });
const TeamRepositoryParams = z.strictObject({ ...TeamParams.shape, repo: z.string() });
const readable = { tag, access: "team_visible", scope: "org:read", status: 200, errors: [] } as const;
const manageable = { tag, access: "team_manage", scope: "org:admin" } as const;

export const listTeams = route({
  id: "listTeams",
  method: "get",
  path: "/orgs/:org/teams",
  tag,
  summary: "Teams of an organization that the caller can see, each after its parent",
  description:
    "Secret teams are visible only to their members, to maintainers of a parent team, and to owners.",
  access: "org_member",
  scope: "org:read",
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: z.array(Team),
  paginated: true,
  errors: [],
});

export const createTeam = route({
  id: "createTeam",
  method: "post",
  path: "/orgs/:org/teams",
  tag,
  summary: "Create a team",
  description:
    "Owners can create teams anywhere, and maintainers of a team can create teams in it. Up to 20 levels.",
  access: "org_member",
  scope: "org:admin",
  params: OrganizationParams,
  body: TeamCreate,
  status: 201,
  response: Team,
  errors: ["conflict"],
});

export const listTeamMembers = route({
  ...readable,
  id: "listTeamMembers",
  method: "get",
  path: "/orgs/:org/teams/*team/members",
  summary: "Members of a team, by name",
  description:
    "Who is in a nested team has what this one has, and is listed with `inherited_from`, where the caller sees that team.",
  params: TeamParams,
  query: PageQuery,
  response: z.array(TeamMember),
  paginated: true,
});

export const setTeamMember = route({
  ...manageable,
  id: "setTeamMember",
  method: "put",
  path: "/orgs/:org/teams/*team/members/:username",
  summary: "Add a member of the organization, or one of its bots, to a team, or change the role",
  description: "Maintainers manage the team and its nested teams. A bot's name is `<org>%2F<bot>`.",
  params: TeamMemberParams,
  body: TeamMemberSet,
  status: 200,
  response: TeamMember,
  errors: [],
});

export const removeTeamMember = route({
  id: "removeTeamMember",
  method: "delete",
  path: "/orgs/:org/teams/*team/members/:username",
  tag,
  summary: "Remove a member from a team, or leave it",
  description: "Only for direct members; members of nested teams stay there.",
  access: "team_visible",
  scope: "org:admin",
  params: TeamMemberParams,
  status: 204,
  errors: [],
});

export const listTeamRepositories = route({
  ...readable,
  id: "listTeamRepositories",
  method: "get",
  path: "/orgs/:org/teams/*team/repos",
  summary: "Repositories of a team with its permissions, by name; only those the caller can see",
  description: "The highest permission granted to the team itself or to its parent teams.",
  params: TeamParams,
  query: PageQuery,
  response: z.array(ListedTeamRepository),
  paginated: true,
});

export const grantTeamRepository = route({
  ...manageable,
  id: "grantTeamRepository",
  method: "put",
  path: "/orgs/:org/teams/*team/repos/:repo",
  summary: "Grant a team access to a repository of the organization",
  description: "Requires managing the team and `admin` on the repository.",
  params: TeamRepositoryParams,
  body: TeamRepositoryGrant,
  status: 200,
  response: TeamRepository,
  errors: ["repository_archived"],
});

export const revokeTeamRepository = route({
  ...manageable,
  id: "revokeTeamRepository",
  method: "delete",
  path: "/orgs/:org/teams/*team/repos/:repo",
  summary: "Revoke a team's access to a repository",
  description: "Requires managing the team and `admin` on the repository. Grants of parent teams stay.",
  params: TeamRepositoryParams,
  status: 204,
  errors: [],
});

export const getTeam = route({
  ...readable,
  id: "getTeam",
  method: "get",
  path: "/orgs/:org/teams/*team",
  summary: "One team",
  params: TeamParams,
  response: Team,
});

export const updateTeam = route({
  ...manageable,
  id: "updateTeam",
  method: "patch",
  path: "/orgs/:org/teams/*team",
  summary: "Change, rename or move a team",
  description:
    "Its nested teams move along, and it inherits the access of its new parent. Moving requires an owner, or a maintainer of the new parent as well.",
  params: TeamParams,
  body: TeamUpdate,
  status: 200,
  response: Team,
  errors: ["conflict"],
});

export const deleteTeam = route({
  ...manageable,
  id: "deleteTeam",
  method: "delete",
  path: "/orgs/:org/teams/*team",
  summary: "Delete a team and its nested teams",
  params: TeamParams,
  status: 204,
  errors: [],
});
