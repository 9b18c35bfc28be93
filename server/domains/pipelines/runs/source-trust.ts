/**
 * How far the commits of a run are trusted: decided once, when the run is created, and kept with it. What a run may have
 * (secrets, a token that writes, caches, runners and networks) is asked here and nowhere else. Pure.
 */
import type { JobPermissionLevel } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
import type { PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";

/**
 * `own`: somebody who may write to the repository pushed the commit or started the run; `fork`: the commit comes from a fork;
 * `unknown_author`: a sync brought it from another repository, whose authors have no rights here.
 */
export type SourceTrust = "own" | "fork" | "unknown_author";

export function trustOf(source: PipelineEventName): SourceTrust {
  return source === "mirror_sync" || source === "fork_sync" ? "unknown_author" : "own";
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
