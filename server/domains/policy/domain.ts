/** Permissions: checked by every domain and edge before anything is done or shown. */
import { createAuthorizer } from "./authorize.ts";

export type Policy = ReturnType<typeof createPolicy>;

export function createPolicy(deps: Parameters<typeof createAuthorizer>[0]) {
  return { authorizer: createAuthorizer(deps) };
}

// What other domains and the edges may use.
export { managesTeam } from "./decide-organization.ts";
export { levelSql, ownLevelSql } from "./level.store.ts";
export { teamReadsSql } from "./team-reads.store.ts";
export { secretSql, visibleSql } from "./visible-teams.store.ts";
export type { Authorizer } from "./authorize.ts";
export type { GrantedOrganization, GrantedTeam } from "./decide-organization.ts";
export type { GrantedRepository } from "./decide-repository.ts";
export type { FoundOrganization, OrganizationAccess, OrganizationRef } from "./organization-access.ts";
export type { RepositoryAccess, RepositoryRef } from "./repository-access.ts";
