/** Decides about operations on one repository. */
import { forbiddenBut } from "./forbidden-but.ts";
import { levelCovers, type RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { RouteAccess } from "@forgeline/schemas/core/route.ts";
import { jobPermissions } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor, JobHolder } from "../../platform/access/actor.ts";
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
  if (requirement.scope && !hasScope(actor, requirement.scope) && !isNeededByJob(actor, requirement, found)) {
    // Without the scope the answer must not depend on whether a hidden repository exists.
    const asEveryone =
      found && isPublic && wanted === "read" && openToEveryone(requirement, found.repository);
    if (!asEveryone) throw insufficientScope(requirement.scope, hintForJob(actor, requirement));
    return { repository: found.repository, level: "read" };
  }
  if (!found) throw new AppError("not_found");
  if (actor.job && changesSomething(requirement) && requirement.jobs === undefined)
    throw new AppError("forbidden", { message: "The token of a job cannot do this." });
  if (!levelCovers(found.level, wanted))
    throw forbiddenBut(`It takes the permission ${wanted} in this repository.`);
  const { archived = wanted === "read" ? "allowed" : "refused" } = requirement;
  if (found.repository.archived && archived === "refused") throw new AppError("repository_archived");
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
  if (outside) return { repository, level: "read" };
  return actor.job ? { repository, level: levelOfJob(actor.job, seen.level) } : seen;
}

/** Never more than Write, whatever whoever is behind the run may do. */
function levelOfJob({ mayWrite }: JobHolder, level: RepositoryLevel): RepositoryLevel {
  if (!mayWrite) return "read";
  return levelCovers(level, "write") ? "write" : level;
}

function changesSomething({ access }: Requirement): boolean {
  return access !== "repo_read";
}

/** The checkout of a job works whatever its `permissions` say. */
function isNeededByJob({ job }: Actor, { jobs }: Requirement, found: GrantedRepository | undefined): boolean {
  return jobs === "needed" && job !== null && found?.repository.id === job.repositoryId;
}

/** For whoever reads the log of the job. */
function hintForJob({ job }: Actor, requirement: Requirement): string {
  const listed = (jobPermissions as readonly string[]).includes(requirement.scope ?? "");
  if (!job || !listed || (changesSomething(requirement) && requirement.jobs === undefined)) return "";
  return job.limit ?? "`permissions` of the job can list it.";
}

function openToEveryone(requirement: Requirement, repository: RepositoryRef): boolean {
  if (requirement.access === "repo_signed_in") return false;
  return requirement.scope?.startsWith("pipeline:") ? repository.publicPipelines : true;
}
