/**
 * The one permission mechanism, for every entry point: REST, Git, sockets. A request may do what its user may do and its
 * token's scopes, repositories and addresses allow. Resources that the actor may not see are `not_found`, whether they exist or
 * not.
 */
import type { Actor } from "../../platform/access/actor.ts";
import { decideInstance } from "./decide-instance.ts";
import {
  decideOrganization,
  decideTeam,
  refuseBeforeLookup,
  type GrantedOrganization,
  type GrantedTeam,
} from "./decide-organization.ts";
import { decideRepository, type GrantedRepository } from "./decide-repository.ts";
import type { OrganizationAccess } from "./organization-access.ts";
import type { RepositoryAccess } from "./repository-access.ts";
import type { Requirement } from "../../platform/access/requirement.ts";
import { AppError } from "../../platform/app-error.ts";

export interface Authorizer {
  /** For operations that are not about one repository or organization. Throws `unauthorized`, `insufficient_scope`, `forbidden`. */
  authorize(actor: Actor, requirement: Requirement): void;
  /** For `repo_*` access. Throws also `not_found` and `repository_archived`; the result's level is what the actor may do with this token. */
  authorizeRepository(
    actor: Actor,
    requirement: Requirement,
    address: { owner: string; name: string },
  ): Promise<GrantedRepository>;
  /** For `org_*` access. Throws also `not_found`. */
  authorizeOrganization(actor: Actor, requirement: Requirement, name: string): Promise<GrantedOrganization>;
  /** For `team_*` access; `address.team` is the path of the team, `parent/child`. Throws also `not_found`. */
  authorizeTeam(
    actor: Actor,
    requirement: Requirement,
    address: { org: string; team: string },
  ): Promise<GrantedTeam>;
}

export function createAuthorizer(deps: {
  repositories: RepositoryAccess;
  organizations: OrganizationAccess;
}): Authorizer {
  const { repositories, organizations } = deps;

  async function authorizeOrganization(actor: Actor, requirement: Requirement, name: string) {
    refuseBeforeLookup(actor, requirement);
    return decideOrganization(actor, requirement, await organizations.find(name, actor));
  }

  return {
    authorize: decideInstance,
    async authorizeRepository(actor, requirement, { owner, name }) {
      const look = requirement.deleted ? repositories.findDeleted : repositories.find;
      return decideRepository(actor, requirement, await look(owner, name, actor));
    },
    authorizeOrganization,
    async authorizeTeam(actor, requirement, address) {
      const member = { ...requirement, access: "org_member" } as const;
      const granted = await authorizeOrganization(actor, member, address.org);
      const found = await organizations.findTeam(granted.organization.id, address.team, actor);
      if (!found) throw new AppError("not_found");
      return decideTeam(requirement, granted, found);
    },
  };
}
