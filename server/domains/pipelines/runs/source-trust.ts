/**
 * How far the commits of a run are trusted: decided once, when the run is created, and kept with it. What follows from it (secrets,
 * a token that writes, caches, privileged jobs, deployments, shells, pipelines of other repositories) is asked here, and no other
 * module compares the value. Whether a run of a fork waits for an approval depends on the people behind it (`merge-request-runs`).
 * Networks of jobs do not depend on the source. Pure.
 */
import type { JobPermissionLevel } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";

/**
 * `own`: somebody who may write to the repository pushed the commit or started the run, or pushed it as the author of a merge request
 * allows, and then the run has no rights elsewhere (`hosting/pushes/session.ts`); `fork`: the commit comes from a fork;
 * `unknown_author`: a sync brought it from another repository, whose authors have no rights here.
 */
export type SourceTrust = "own" | "fork" | "unknown_author";

/** Of a preview, which knows no merge request, as of one from a branch of the repository. */
export function trustOf({ name, mergeRequest }: Pick<PipelineEvent, "name" | "mergeRequest">): SourceTrust {
  if (mergeRequest?.fork) return "fork";
  return name === "mirror_sync" || name === "fork_sync" ? "unknown_author" : "own";
}

/** A run that a job of another one starts is trusted as that one is, whatever repository it is in: the same people decided on it. */
export function trustOfChild(parent: SourceTrust): SourceTrust {
  return parent;
}

/** Why a run gets no secrets, as a sentence; null: it may have those that its file names. */
export function withoutSecrets(trust: SourceTrust): string | null {
  if (trust === "own") return null;
  return trust === "fork"
    ? "Runs of forks get no secrets."
    : "Runs that a sync started get no secrets, because their commits come from another repository.";
}

/** What decides whether the tokens of a run's jobs may write. */
export interface RunBehindJob {
  trust: SourceTrust;
  /** A user started it; otherwise a sync did, or a schedule of nobody. */
  hasPerson: boolean;
  /** What the repository gives the tokens of its jobs at most, now. */
  permissionsMax: JobPermissionLevel;
}

/** Why the tokens of a run's jobs only read, as a sentence; null: they may write, as far as `permissions` and whoever started it may. */
export function withoutWrite({ trust, hasPerson, permissionsMax }: RunBehindJob): string | null {
  if (trust === "fork") return "Tokens of jobs only read in runs of forks.";
  if (trust === "unknown_author")
    return "Tokens of jobs only read in runs that a sync started, because their commits come from another repository.";
  if (!hasPerson) return "Tokens of jobs only read in runs that nobody stands behind.";
  return permissionsMax === "read"
    ? "Tokens of jobs only read in this repository, as its settings say."
    : null;
}

/** Whether runs of the repository read what the run saves in caches; otherwise it saves for itself alone. */
export function savesForOthers(trust: SourceTrust): boolean {
  return trust === "own";
}

/** Whether its jobs may be privileged, where administrators allow that to the repository. */
export function mayBePrivileged(trust: SourceTrust): boolean {
  return trust === "own";
}

/** Why its jobs start no pipelines of other repositories, as a sentence; null: they may, as far as whoever started it may. */
export function withoutOtherRepositories(trust: SourceTrust): string | null {
  if (trust === "own") return null;
  return "Runs whose commits come from another repository start pipelines only in their own.";
}

/** Why its jobs may not deploy, as a sentence; null: they may, as far as the environment is not limited to other branches or tags. */
export function withoutDeployments(trust: SourceTrust): string | null {
  return trust === "fork" ? "Runs of forks may not deploy." : null;
}

/** Why no shells are opened in its jobs, as a sentence; null: they may be. */
export function withoutShells(trust: SourceTrust): string | null {
  if (trust === "own") return null;
  return trust === "fork"
    ? "Shells are not opened in runs of forks."
    : "Shells are not opened in runs that a sync started, because their commits come from another repository.";
}
