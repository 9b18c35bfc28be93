/** `on` of the file to triggers. Omitted: push, merge_request, tag, manual, api and pipeline. */
import type { z } from "zod";
import type { FileOn, FileSchedule } from "@forgeline/schemas/pipeline-file/file-when.ts";
import { readCron } from "./cron.ts";
import {
  allMergeRequests,
  allPushes,
  defaultTriggers,
  type CompiledTriggers,
  type MergeRequestTrigger,
  type PushTrigger,
  type ScheduleTrigger,
  type SyncTrigger,
} from "./triggers.ts";

type On = z.infer<typeof FileOn>;
type Mapping = Exclude<On, string | unknown[]>;

export function buildTriggers(on: On | undefined): CompiledTriggers {
  if (on === undefined) return defaultTriggers;
  if (typeof on === "string" || Array.isArray(on)) {
    const names = [on].flat();
    const sync = (name: "mirror_sync" | "fork_sync") => (names.includes(name) ? allSyncs : null);
    return {
      push: names.includes("push") ? allPushes : null,
      mergeRequest: names.includes("merge_request") ? { ...allMergeRequests, isListed: true } : null,
      tag: names.includes("tag") ? { tags: null } : null,
      manual: names.includes("manual"),
      api: names.includes("api"),
      pipeline: names.includes("pipeline"),
      schedule: [],
      mirrorSync: sync("mirror_sync"),
      forkSync: sync("fork_sync"),
    };
  }
  return {
    push: on.push === undefined ? null : pushTrigger(on.push),
    mergeRequest: on.merge_request === undefined ? null : mergeRequestTrigger(on.merge_request),
    tag: on.tag === undefined ? null : { tags: list(on.tag?.tags) },
    manual: on.manual !== undefined,
    api: on.api !== undefined,
    pipeline: on.pipeline !== undefined,
    schedule: (on.schedule ?? []).map(scheduleTrigger),
    mirrorSync: syncTrigger(on.mirror_sync),
    forkSync: syncTrigger(on.fork_sync),
  };
}

const allSyncs: SyncTrigger = { ...allPushes, tags: null };

function pushTrigger(push: Exclude<Mapping["push"], undefined>): PushTrigger {
  return {
    branches: list(push?.branches),
    branchesIgnore: list(push?.branches_ignore),
    paths: list(push?.paths),
    pathsIgnore: list(push?.paths_ignore),
  };
}

function mergeRequestTrigger(on: Exclude<Mapping["merge_request"], undefined>): MergeRequestTrigger {
  return {
    targets: list(on?.targets),
    paths: list(on?.paths),
    pathsIgnore: list(on?.paths_ignore),
    ...(on?.types ? { types: on.types } : {}),
    isListed: true,
  };
}

function syncTrigger(sync: Mapping["mirror_sync"]): SyncTrigger | null {
  return sync === undefined ? null : { ...pushTrigger(sync), tags: list(sync?.tags) };
}

function scheduleTrigger(schedule: FileSchedule): ScheduleTrigger {
  const cron = readCron(schedule.cron) ?? schedule.cron;
  return {
    name: scheduleName(schedule),
    cron,
    timezone: schedule.timezone ?? "UTC",
    branch: schedule.branch ?? null,
    ifMissed: schedule.if_missed ?? "skip",
  };
}

/** Its own, or its times. */
export function scheduleName({ name, cron }: Pick<FileSchedule, "name" | "cron">): string {
  return name ?? readCron(cron) ?? cron;
}

function list(patterns: string | string[] | undefined): string[] | null {
  return patterns === undefined ? null : [patterns].flat();
}
