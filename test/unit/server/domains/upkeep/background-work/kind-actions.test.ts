/** Each kind of work is begun again, and left alone after it was cancelled, in its own way and in no other's. */
import { expect, test } from "vitest";
import type { WorkKind } from "@forgeline/schemas/background-work/resource.ts";
import { createKindActions } from "@forgeline/server/domains/upkeep/background-work/kind-actions.ts";

type Deps = Parameters<typeof createKindActions>[0];
type Looked = Parameters<ReturnType<typeof createKindActions>["other"]["retry"]>[1];
type Actor = Parameters<ReturnType<typeof createKindActions>["other"]["retry"]>[0];

const ids: Record<WorkKind, string> = {
  pipeline_run: "pipeline:pipe_1:2",
  repository_upkeep: "upkeep",
  repository_statistics: "statistics:repo_1",
  event_follower: "follow:queue:webhooks",
  webhook_retries: "webhook-retries:hook_1",
  key_rotation: "rotate-keys:rot_1",
  upkeep_task: "upkeep:queue:remove_old_events-2026-11-26T10:00:00Z",
  mirror_sync: "mirror:queue:repo_01jzzzzzzzzzzzzzzzzzzzzzzz-2026-11-27T10:00:00Z",
  push_mirror_sync:
    "push-mirror:queue:repo_01jzzzzzzzzzzzzzzzzzzzzzzz:pmir_01jyyyyyyyyyyyyyyyyyyyyyyy-2026-11-27T10:00:00Z",
  repository_import: "import:queue:repo_01jzzzzzzzzzzzzzzzzzzzzzzz:imp_01jzzzzzzzzzzzzzzzzzzzzzzz:1",
  audit_export: "audit-export:queue:exp_01jzzzzzzzzzzzzzzzzzzzzzzz",
  audit_stream: "audit-stream:queue:strm_01jzzzzzzzzzzzzzzzzzzzzzzz",
  fork_sync: "fork-sync:queue:repo_01jzzzzzzzzzzzzzzzzzzzzzzz:fsyn_01jzzzzzzzzzzzzzzzzzzzzzzz",
  other: "something",
};

function trial() {
  const calls: string[] = [];
  const call =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args.filter((arg) => typeof arg === "string")].join(" "));
    };
  const deps = {
    taskQueue: "queue",
    rescue: { resume: call("resume the run") },
    maintenance: { giveUp: call("give up the maintenance of") },
    maintenanceSchedule: { beginRound: call("begin a round") },
    statistics: { giveUp: call("give up the count of") },
    followerWorkflows: { keep: call("start the followers") },
    webhookRetries: { giveUp: call("give up the deliveries of"), wake: call("wake") },
    keyRotation: { giveUp: call("give up the rotation"), resume: call("resume the rotation") },
    mirrorSyncs: { giveUp: call("give up the sync of") },
    mirrorSchedules: { syncNow: call("sync") },
    pushMirrorSyncs: { giveUp: call("give up the sync of") },
    pushMirrorSchedules: { syncNow: call("push") },
    forkSyncs: { giveUp: call("give up the sync of the fork") },
    imports: { giveUp: async ({ importId }: { importId: string }) => call("give up the import")(importId) },
    auditExports: { giveUp: call("give up the export") },
    auditStreams: { stop: call("pause the stream"), resume: call("resume the stream") },
    forkSyncService: { again: call("sync again") },
    schedules: { trigger: call("run") },
    recorded: async (_actor: unknown, _entry: unknown, act: () => Promise<void>) => act(),
    temporal: { call: async (act: () => Promise<void>) => act() },
  };
  return { calls, byKind: createKindActions(deps as unknown as Deps) };
}

const workOf = (kind: WorkKind) =>
  ({
    work: { kind, id: ids[kind], steps: [{ repositoryId: "repo_7" }, { repositoryId: null }] },
    subject: { repository: "ada/code", id: "repo_1", number: 1 },
  }) as unknown as Looked;

test.each<[WorkKind, string[]]>([
  ["pipeline_run", []],
  ["repository_upkeep", ["give up the maintenance of repo_7 cancelled"]],
  ["repository_statistics", ["give up the count of repo_1 cancelled"]],
  ["event_follower", []],
  ["webhook_retries", ["give up the deliveries of hook_1"]],
  ["key_rotation", ["give up the rotation rot_1"]],
  ["upkeep_task", []],
  ["mirror_sync", ["give up the sync of repo_01jzzzzzzzzzzzzzzzzzzzzzzz"]],
  ["push_mirror_sync", ["give up the sync of pmir_01jyyyyyyyyyyyyyyyyyyyyyyy"]],
  ["fork_sync", ["give up the sync of the fork repo_01jzzzzzzzzzzzzzzzzzzzzzzz"]],
  ["repository_import", ["give up the import imp_01jzzzzzzzzzzzzzzzzzzzzzzz"]],
  ["audit_export", ["give up the export exp_01jzzzzzzzzzzzzzzzzzzzzzzz"]],
  ["audit_stream", ["pause the stream strm_01jzzzzzzzzzzzzzzzzzzzzzzz"]],
  ["other", []],
])("%s is left alone by: %j", async (kind, expected) => {
  const { calls, byKind } = trial();
  await byKind[kind].stopRetrying(workOf(kind).work, "cancelled");
  expect(calls).toEqual(expected);
});

test.each<[WorkKind, string[]]>([
  ["pipeline_run", ["resume the run"]],
  ["repository_upkeep", ["begin a round"]],
  ["event_follower", ["start the followers"]],
  ["webhook_retries", ["wake hook_1"]],
  ["key_rotation", ["resume the rotation rot_1"]],
  ["upkeep_task", ["run upkeep:queue:remove_old_events"]],
  ["mirror_sync", ["sync repo_01jzzzzzzzzzzzzzzzzzzzzzzz"]],
  ["audit_stream", ["resume the stream strm_01jzzzzzzzzzzzzzzzzzzzzzzz"]],
  ["fork_sync", ["sync again repo_01jzzzzzzzzzzzzzzzzzzzzzzz"]],
  ["push_mirror_sync", ["push repo_01jzzzzzzzzzzzzzzzzzzzzzzz:pmir_01jyyyyyyyyyyyyyyyyyyyyyyy"]],
])("%s begins again by: %j", async (kind, expected) => {
  const { calls, byKind } = trial();
  await byKind[kind].retry({} as Actor, workOf(kind));
  expect(calls).toEqual(expected);
});

test("work of a kind that this version does not know, and statistics of no repository, do not begin a round of maintenance", async () => {
  const { calls, byKind } = trial();
  await expect(byKind.other.retry({} as Actor, workOf("other"))).rejects.toMatchObject({ code: "conflict" });
  const strange = {
    ...workOf("repository_statistics"),
    work: { ...workOf("other").work, kind: "repository_statistics" },
  };
  await expect(byKind.repository_statistics.retry({} as Actor, strange as Looked)).rejects.toMatchObject({
    code: "conflict",
  });
  expect(calls).toEqual([]);
});
