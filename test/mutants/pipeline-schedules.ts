/** Mistakes with schedules of pipelines. */
import type { Mutant } from "./mutant.ts";

const api = "test/integration/api/schedules";
const unit = "test/unit/server/domains/automation/schedules";
const folder = "server/domains/automation/schedules";

export const pipelineScheduleMutants: readonly Mutant[] = [
  {
    name: "schedules-second-of-both-times",
    promise: "A local time that occurs twice runs once, at the first.",
    file: "compiler/cron.ts",
    find: "return Math.min(...exact);",
    replace: "return Math.max(...exact);",
    tests: ["test/unit/compiler/cron.test.ts"],
  },
  {
    name: "schedules-come-twice",
    promise: "Times that fall together come once.",
    file: "compiler/cron.ts",
    find: "if (time <= last) continue;",
    replace: "if (time < afterMs) continue;",
    tests: ["test/unit/compiler/cron.test.ts"],
  },
  {
    name: "schedules-missed-runs",
    promise: "A missed time is skipped unless the schedule says otherwise.",
    file: `${folder}/decide-time.ts`,
    find: 'isMissed && schedule.ifMissed === "skip"',
    replace: 'isMissed && schedule.ifMissed === "run_once"',
    tests: [`${unit}/decide-time.test.ts`],
  },
  {
    name: "schedules-of-a-mirror-are-on",
    promise: "What came with a sync is off until somebody turns it on.",
    file: `${folder}/compare-files.ts`,
    find: 'const ownerId = by.origin === "push" ? by.user_id : null;',
    replace: "const ownerId = by.user_id ?? repositoryId;",
    tests: [`${unit}/compare-files.test.ts`],
  },
  {
    name: "schedules-of-a-broken-file-go",
    promise: "A file with errors keeps what it listed.",
    file: `${folder}/compare-files.ts`,
    find: 'if (!broken.has(row.file ?? "")) changes.removed.push(row.id);',
    replace: "changes.removed.push(row.id);",
    tests: [`${unit}/compare-files.test.ts`],
  },
  {
    name: "schedules-fork-origin",
    promise: "What a fork has copied is off.",
    file: `${folder}/marks.store.ts`,
    find: "or (r.forked and e.kind = 'repository' and e.action = 'created')",
    replace: "",
    tests: [`${api}/file-schedules.test.ts`],
  },
  {
    name: "schedules-owner-without-right",
    promise: "At each time the owner must be able to write to the repository.",
    file: `${folder}/start-due.ts`,
    find: "if (!due.owner_may) return turnOff(deps, due);",
    replace: "",
    tests: [`${api}/due.test.ts`],
  },
  {
    name: "schedules-alert-each-time",
    promise: "A failure is told once in each outage.",
    file: `${folder}/start-due.ts`,
    find: "now.failures < alertAfter || now.alerted_at",
    replace: "now.failures < alertAfter",
    tests: [`${api}/due.test.ts`],
  },
  {
    name: "schedules-of-a-file-change",
    promise: "One of a file can only be turned on and off.",
    file: `${folder}/change.ts`,
    find: 'changed.some((name) => name !== "enabled")',
    replace: 'changed.some((name) => name === "name")',
    tests: [`${api}/file-schedules.test.ts`],
  },
  {
    name: "sync-runs-without-setting",
    promise: "A sync of a mirror starts runs only where the repository allows it.",
    file: "server/domains/pipelines/runs/push-follower.ts",
    find: 'if (cause === "mirror_sync") return repository.mirrorSyncs;',
    replace: 'if (cause === "mirror_sync") return true;',
    tests: ["test/integration/api/mirrors/pipelines.test.ts"],
  },
  {
    name: "sync-runs-of-forks-without-setting",
    promise: "A sync of a fork starts runs only where the repository allows it.",
    file: "server/domains/pipelines/runs/push-follower.ts",
    find: '(cause === "push" || repository.forkSyncs)',
    replace: "true",
    tests: ["test/integration/api/fork-syncs/pipelines.test.ts"],
  },
  {
    name: "job-without-user-reads-nothing",
    promise: "A job of a run that no user started reads its own repository.",
    file: "server/domains/hosting/repositories/access.ts",
    find: "(job && userId === null ?",
    replace: "(job && userId !== null ?",
    tests: ["test/integration/git/job-token.test.ts"],
  },
];
