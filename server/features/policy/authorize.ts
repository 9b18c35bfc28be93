/**
 * The one permission decision, for every door: REST, Git, sockets. A request may do what its user may do and its
 * token's scopes allow. What the actor may not see is `not_found`, whether it exists or not.
 */
import { scopeCovers, scopes, type Scope } from "@forgeline/schemas/core/scopes.ts";
import type { RouteAccess } from "@forgeline/schemas/core/route.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../identity/actor.ts";
import {
  levelCovers,
  type RepositoryAccess,
  type RepositoryLevel,
  type RepositoryRef,
} from "./repository-access.ts";

export interface Requirement {
  access: RouteAccess;
  scope?: Scope | undefined;
  /** As in contracts: a token needs every scope. */
  everyScope?: true | undefined;
  /** As in contracts: what needs more than reading is refused on archived repositories unless it says `allowed`. */
  archived?: "allowed" | undefined;
}

export interface Granted {
  repository: RepositoryRef;
  level: RepositoryLevel;
}

export interface Authorizer {
  /** For operations that are not about one repository. Throws `unauthorized`, `insufficient_scope`, `forbidden`. */
  authorize(actor: Actor, requirement: Requirement): void;
  /** For `repo_*` access. Throws also `not_found` and `repository_archived`; the result's level is what the actor may do with this token. */
  authorizeRepository(
    actor: Actor,
    requirement: Requirement,
    address: { owner: string; name: string },
  ): Promise<Granted>;
}

const levelOf: Partial<Record<RouteAccess, RepositoryLevel>> = {
  repo_read: "read",
  repo_write: "write",
  repo_admin: "admin",
};

export function createAuthorizer(repositories: RepositoryAccess): Authorizer {
  return {
    authorize: decideInstance,
    async authorizeRepository(actor, requirement, address) {
      return decideRepository(
        actor,
        requirement,
        await repositories.find(address.owner, address.name, actor),
      );
    },
  };
}

function hasScope(actor: Actor, scope: Scope | undefined): boolean {
  return scope === undefined || actor.kind === "system" || scopeCovers(actor.scopes, scope);
}

function insufficientScope(scope: Scope): AppError {
  return new AppError("insufficient_scope", {
    message: `The token lacks the scope ${scope}.`,
    extra: { required_scopes: [scope] },
  });
}

export function decideInstance(actor: Actor, requirement: Requirement): void {
  if (requirement.access === "public") return;
  if (actor.kind === "anonymous") throw new AppError("unauthorized");
  if (actor.kind === "runner" || actor.kind === "job") throw new AppError("forbidden");
  if (requirement.scope && !hasScope(actor, requirement.scope)) throw insufficientScope(requirement.scope);
  const missing = requirement.everyScope ? scopes.filter((scope) => !hasScope(actor, scope)) : [];
  if (missing.length > 0)
    throw new AppError("insufficient_scope", {
      message: "This needs a signed-in browser, or a token that has every scope.",
      extra: { required_scopes: missing },
    });
  if (requirement.access === "instance_admin" && !actor.isAdmin) throw new AppError("forbidden");
}

/** `found` is what the user of the actor sees, before scopes. */
export function decideRepository(
  actor: Actor,
  requirement: Requirement,
  found: Granted | undefined,
): Granted {
  const wanted = levelOf[requirement.access];
  if (!wanted) throw new Error(`${requirement.access} is not an access level of repositories`);
  if (actor.kind === "runner") throw new AppError("not_found");
  const isPublic = found?.repository.visibility === "public";
  if (actor.kind === "anonymous") {
    if (!found || !isPublic) throw new AppError("not_found");
    if (wanted !== "read" || !openToEveryone(requirement, found.repository))
      throw new AppError("unauthorized");
    return { repository: found.repository, level: "read" };
  }
  if (requirement.scope && !hasScope(actor, requirement.scope)) {
    // Without the scope the answer must not depend on whether a hidden repository exists.
    const asEveryone =
      found && isPublic && wanted === "read" && openToEveryone(requirement, found.repository);
    if (!asEveryone) throw insufficientScope(requirement.scope);
    return { repository: found.repository, level: "read" };
  }
  if (!found || (actor.job && !isPublic && found.repository.id !== actor.job.repositoryId))
    throw new AppError("not_found");
  const level = actor.job ? "read" : found.level;
  if (!levelCovers(level, wanted)) throw new AppError("forbidden");
  if (found.repository.archived && wanted !== "read" && requirement.archived !== "allowed")
    throw new AppError("repository_archived");
  return { repository: found.repository, level };
}

function openToEveryone(requirement: Requirement, repository: RepositoryRef): boolean {
  return requirement.scope?.startsWith("pipeline:") ? repository.publicPipelines : true;
}
