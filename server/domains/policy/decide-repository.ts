/** Decides about operations on one repository. */
import { levelCovers, type RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { RouteAccess } from "@forgeline/schemas/core/route.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/access/actor.ts";
import type { RepositoryRef } from "./repository-access.ts";
import {
  hasScope,
  insufficientScope,
  excludesRepository,
  type Requirement,
} from "../../platform/access/requirement.ts";

export interface GrantedRepository {
  repository: RepositoryRef;
  level: RepositoryLevel;
}

const levelOf: Partial<Record<RouteAccess, RepositoryLevel>> = {
  repo_read: "read",
  repo_signed_in: "read",
  repo_triage: "triage",
  repo_write: "write",
  repo_maintain: "maintain",
  repo_admin: "admin",
};

/**
 * `seen` is what the actor's user sees, before the token's limits. Throws `unauthorized`, `insufficient_scope`, `not_found`,
 * `forbidden`, `repository_archived`.
 */
export function decideRepository(
  actor: Actor,
  requirement: Requirement,
  seen: GrantedRepository | undefined,
): GrantedRepository {
  const wanted = levelOf[requirement.access];
  if (!wanted) throw new Error(`${requirement.access} is not an access level of repositories`);
  if (actor.kind === "runner") throw new AppError("not_found");
  const found = withinLimits(actor, requirement, seen);
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
  if (!found) throw new AppError("not_found");
  if (!levelCovers(found.level, wanted)) throw new AppError("forbidden");
  if (found.repository.archived && wanted !== "read" && requirement.archived !== "allowed")
    throw new AppError("repository_archived");
  return found;
}

/** Outside the repositories to which a token is limited, its holder counts as anonymous and cannot see deleted repositories. */
function withinLimits(
  actor: Actor,
  requirement: Requirement,
  seen: GrantedRepository | undefined,
): GrantedRepository | undefined {
  if (!seen) return undefined;
  const { repository } = seen;
  const outside = excludesRepository(actor, repository.id);
  if (outside && (requirement.deleted || repository.visibility !== "public")) return undefined;
  if (outside || actor.job !== null) return { repository, level: "read" };
  return seen;
}

function openToEveryone(requirement: Requirement, repository: RepositoryRef): boolean {
  if (requirement.access === "repo_signed_in") return false;
  return requirement.scope?.startsWith("pipeline:") ? repository.publicPipelines : true;
}
