/** Mistakes with syncs of forks. */
import type { Mutant } from "./mutant.ts";

const api = "test/integration/api/fork-syncs";
const folder = "server/domains/automation/fork-syncs";
const security = "test/security/08-fork-window.test.ts";

export const forkSyncMutants: readonly Mutant[] = [
  {
    name: "fork-syncs-reads-what-became-private",
    promise: "Whether the upstream may be read is asked again when the sync works.",
    file: "server/domains/hosting/forks/upstreams.ts",
    find: "repositoryAccess.find(row.owner, row.name, actor)",
    replace: "repositoryAccess.find(row.owner, row.name, { ...actor, isAdmin: true })",
    tests: [security],
  },
  {
    name: "fork-syncs-writes-without-right",
    promise: "Whether the user may write to the fork is asked again when the sync works.",
    file: `${folder}/syncs.ts`,
    find: 'if (!seen || !levelCovers(seen.level, "write"))',
    replace: "if (!seen)",
    tests: [`${api}/fork-schedules.test.ts`],
  },
  {
    name: "fork-syncs-for-nobody",
    promise: "A sync of a fork is a push by the user, whose rights count.",
    file: `${folder}/sync-fork.ts`,
    find: "await pushes.take(fork, { updates, quarantine, tooLarge }, actor);",
    replace: "await pushes.take(fork, { updates, quarantine, tooLarge });",
    tests: [`${api}/fork-syncs.test.ts`],
  },
  {
    name: "fork-syncs-moves-some",
    promise: "Where one branch has a conflict, no branch changes.",
    file: `${folder}/sync-fork.ts`,
    find: 'if (outcome.status === "conflict" || outcome.status === "up_to_date") return outcome;',
    replace: 'if (outcome.status === "up_to_date") return outcome;',
    tests: [`${api}/fork-syncs.test.ts`],
  },
  {
    name: "fork-syncs-forgets-its-plan",
    promise: "A sync that was cut off after the branches had moved says what it did.",
    file: `${folder}/syncs.ts`,
    find: "return isDone ? {",
    replace: 'return isDone && begun.id === "" ? {',
    tests: [`${api}/fork-syncs.test.ts`],
  },
  {
    name: "fork-syncs-every-large-file",
    promise: "Only the large files that are needed are copied.",
    file: `${folder}/sync-fork.ts`,
    find: "await takeLfs(largeFiles);",
    replace: "",
    tests: [`${api}/fork-syncs.test.ts`],
  },
  {
    name: "fork-syncs-without-back-off",
    promise: "After failures, scheduled syncs wait.",
    file: `${folder}/fork-schedules.store.ts`,
    find: "coalesce(s.not_before <= now(), true)",
    replace: "true",
    tests: [`${api}/fork-schedules.test.ts`],
  },
  {
    name: "fork-syncs-two-at-once",
    promise: "Who asks for a sync that is running gets its outcome.",
    file: `${folder}/service.ts`,
    find: "if (open?.branch === branch) return open.id;",
    replace: "",
    tests: [`${api}/fork-syncs.test.ts`],
  },
];
