/** Which events make a run: `on` of the file, and `[skip ci]` in the commit message. */
import {
  usualMergeRequestTypes,
  type MergeRequestType,
  type PipelineEvent,
} from "@forgeline/schemas/pipeline-file/event.ts";
import { matchesGlobs } from "./glob.ts";

export interface PushTrigger {
  branches: string[] | null;
  branchesIgnore: string[] | null;
  paths: string[] | null;
  pathsIgnore: string[] | null;
}
export interface MergeRequestTrigger {
  targets: string[] | null;
  paths: string[] | null;
  pathsIgnore: string[] | null;
  /** Absent: the usual ones. */
  types?: MergeRequestType[];
  /** False for a file without `on`, for which a push to the source branch is as good. */
  isListed: boolean;
}
/** As of a push; `tags` null: no tag makes a run. */
export interface SyncTrigger extends PushTrigger {
  tags: string[] | null;
}
export interface ScheduleTrigger {
  name: string;
  cron: string;
  timezone: string;
  /** null: the default branch. */
  branch: string | null;
  ifMissed: "skip" | "run_once";
}
/** null: the event makes no run. */
export interface CompiledTriggers {
  push: PushTrigger | null;
  mergeRequest: MergeRequestTrigger | null;
  tag: { tags: string[] | null } | null;
  manual: boolean;
  api: boolean;
  /** Jobs of other pipelines start it. */
  pipeline: boolean;
  schedule: ScheduleTrigger[];
  mirrorSync: SyncTrigger | null;
  forkSync: SyncTrigger | null;
}

/** `skip_ci` should leave a `skipped` record; other reasons (`on:<what>`) leave nothing. */
export type TriggerDecision = { run: true } | { run: false; reason: string };

export const allPushes: PushTrigger = {
  branches: null,
  branchesIgnore: null,
  paths: null,
  pathsIgnore: null,
};
export const allMergeRequests: MergeRequestTrigger = {
  targets: null,
  paths: null,
  pathsIgnore: null,
  isListed: false,
};
export const defaultTriggers: CompiledTriggers = {
  push: allPushes,
  mergeRequest: allMergeRequests,
  tag: { tags: null },
  manual: true,
  api: true,
  pipeline: true,
  schedule: [],
  mirrorSync: null,
  forkSync: null,
};

/** People and programs that ask for a run get one, whatever the commit message says. */
export function matchTriggers(on: CompiledTriggers, event: PipelineEvent): TriggerDecision {
  const filter = filterOf(on, event);
  if (filter !== null) return { run: false, reason: filter };
  return skipsCi(event) ? { run: false, reason: "skip_ci" } : { run: true };
}

/** Whatever the event is more exactly, and whatever the commit message says. */
export function listsEvent(on: CompiledTriggers, event: PipelineEvent): boolean {
  return filterOf(on, event) !== "on:event";
}

/** What is asked for where nobody says which event: a push, or else the first that the file lists. */
export function eventToPlan(on: CompiledTriggers | null, tag: string | null): PipelineEvent["name"] {
  if (!on || on.push) return "push";
  if (on.mergeRequest) return "merge_request";
  if (on.tag && tag !== null) return "tag";
  if (on.manual) return "manual";
  if (on.api) return "api";
  if (on.schedule.length > 0) return "schedule";
  if (on.pipeline) return "pipeline";
  if (on.mirrorSync) return "mirror_sync";
  return on.forkSync ? "fork_sync" : "push";
}

const hasPushedCommit: ReadonlySet<PipelineEvent["name"]> = new Set([
  "push",
  "merge_request",
  "tag",
  "mirror_sync",
  "fork_sync",
]);

/** `[skip ci]` or `[ci skip]` in the message of a pushed commit. */
export function skipsCi(event: PipelineEvent): boolean {
  return hasPushedCommit.has(event.name) && /\[(skip ci|ci skip)\]/i.test(event.commitMessage);
}

function filterOf(on: CompiledTriggers, event: PipelineEvent): string | null {
  switch (event.name) {
    case "push":
      return on.push ? pushFilter(on.push, event) : "on:event";
    case "merge_request":
      return on.mergeRequest ? mergeRequestFilter(on.mergeRequest, event) : "on:event";
    case "tag":
      if (on.tag === null) return "on:event";
      return on.tag.tags === null || matchesGlobs(on.tag.tags, event.tag ?? "") ? null : "on:tags";
    case "manual":
    case "api":
    case "pipeline":
      return on[event.name] ? null : "on:event";
    case "schedule":
      return scheduleFilter(on.schedule, event);
    case "mirror_sync":
      return on.mirrorSync ? syncFilter(on.mirrorSync, event) : "on:event";
    case "fork_sync":
      return on.forkSync ? syncFilter(on.forkSync, event) : "on:event";
  }
}

/** A schedule is made by hand, or by the file of the default branch, whatever the file of this commit lists. */
function scheduleFilter(schedules: readonly ScheduleTrigger[], { schedule }: PipelineEvent): string | null {
  return schedule !== undefined || schedules.length > 0 ? null : "on:event";
}

function syncFilter(sync: SyncTrigger, event: PipelineEvent): string | null {
  if (event.tag === null) return pushFilter(sync, event);
  return sync.tags && matchesGlobs(sync.tags, event.tag) ? null : "on:tags";
}

/** A preview knows no merge request: it is one into the default branch. */
export function targetOf({ name, mergeRequest, repository }: PipelineEvent): string | null {
  if (name !== "merge_request") return null;
  return mergeRequest?.target_branch ?? repository.defaultBranch;
}

function mergeRequestFilter(trigger: MergeRequestTrigger, event: PipelineEvent): string | null {
  const { types = usualMergeRequestTypes } = trigger;
  if (event.mergeRequest?.types?.every((type) => !types.includes(type))) return "on:types";
  const target = targetOf(event) ?? "";
  if (trigger.targets && !matchesGlobs(trigger.targets, target)) return "on:targets";
  if (!matchesPaths(trigger.paths, null, event.changedPaths)) return "on:paths";
  if (!matchesPaths(null, trigger.pathsIgnore, event.changedPaths)) return "on:paths_ignore";
  return null;
}

function pushFilter(push: PushTrigger, event: PipelineEvent): string | null {
  const branch = event.branch ?? "";
  if (push.branches && !matchesGlobs(push.branches, branch)) return "on:branches";
  if (push.branchesIgnore && matchesGlobs(push.branchesIgnore, branch)) return "on:branches_ignore";
  if (!matchesPaths(push.paths, null, event.changedPaths)) return "on:paths";
  if (!matchesPaths(null, push.pathsIgnore, event.changedPaths)) return "on:paths_ignore";
  return null;
}

/** `paths`: some changed path matches; `ignore`: some changed path does not. Unknown paths (null) match. */
export function matchesPaths(
  paths: readonly string[] | null,
  ignore: readonly string[] | null,
  changed: readonly string[] | null,
): boolean {
  if (changed === null) return true;
  if (paths && !changed.some((path) => matchesGlobs(paths, path))) return false;
  return !(ignore && changed.length > 0 && changed.every((path) => matchesGlobs(ignore, path)));
}
