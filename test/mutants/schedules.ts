/** Mistakes in the schedules of upkeep. */
import type { Mutant } from "./mutant.ts";

const api = "test/integration/api/upkeep-schedules/upkeep-schedules.test.ts";

export const scheduleMutants: readonly Mutant[] = [
  {
    name: "schedules-resumed-at-start",
    promise: "A paused schedule stays paused when a worker starts.",
    file: "server/platform/temporal-schedules.ts",
    find: "state: { ...before.state, ...state },",
    replace: "state: { ...before.state, paused: false },",
    tests: [api],
  },
  {
    name: "schedules-next-run-of-a-paused-one",
    promise: "A paused schedule shows no next run.",
    file: "server/domains/upkeep/upkeep-schedules/present.ts",
    find: "state.paused || !next ? null",
    replace: "!next ? null",
    tests: [api],
  },
  {
    name: "schedules-changed-without-an-entry",
    promise: "Who begins a run by hand is in the audit log.",
    file: "server/domains/upkeep/background-work/audit-entries.ts",
    find: "await recordAudit(tx, actor, entry);",
    replace: 'if (!entry.action.startsWith("admin.schedule_run")) await recordAudit(tx, actor, entry);',
    tests: [api],
  },
];
