/** Teams, their members and their repositories as the REST interface shows them. */
import type {
  Team,
  TeamMember as ShownMember,
  ListedTeamRepository,
} from "@forgeline/schemas/teams/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentUser } from "../../accounts/domain.ts";
import type { TeamGrant } from "./grant-service.ts";
import type { TeamMember } from "./member-service.ts";
import type { TeamRow } from "./teams.store.ts";

export function presentTeam(row: TeamRow, addresses: Addresses): Team {
  const organization = encodeURIComponent(row.organization);
  const parent = row.path.slice(0, -row.name.length - 1);
  return {
    id: row.id,
    name: row.name,
    full_name: `${row.organization}/${row.path}`,
    description: row.description,
    visibility: row.secret ? "secret" : "visible",
    parent: parent === "" ? null : parent,
    // Slashes stay as they are in addresses; the names contain nothing that needs encoding.
    url: `${addresses.baseUrl}/orgs/${organization}/teams/${row.path}`,
    web_url: `${addresses.webUrl}/orgs/${organization}/teams/${row.path}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentTeamMember(
  { user, row }: TeamMember,
  organization: string,
  addresses: Addresses,
): ShownMember {
  return {
    user: presentUser(user, addresses),
    role: row.role,
    inherited_from: row.inherited_path === null ? null : `${organization}/${row.inherited_path}`,
    created_at: row.created_at.toISOString(),
  };
}

export function presentTeamGrant({ team, ...grant }: TeamGrant, addresses: Addresses): ListedTeamRepository {
  return {
    team: presentTeam(team, addresses),
    repository: grant.repository,
    permission: grant.permission,
    inherited_from: grant.inheritedFrom,
  };
}
