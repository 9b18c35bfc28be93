/** Mistakes in telling whose a lock of Git's is. */
import type { Mutant } from "./mutant.ts";

const git = "test/integration/git";

export const gitLocks: readonly Mutant[] = [
  {
    name: "git-lock-of-the-living",
    promise: "R9: a lock that a push under way may hold is not removed.",
    file: "server/platform/git/storage/stale-locks.ts",
    find: "found.filter((lock) => !mayBeHeld(lock, named))",
    replace: "found",
    tests: [`${git}/stale-locks.test.ts`],
  },
  {
    name: "git-lock-that-changed-hands",
    promise: "R9: a lock that was taken while it was asked whose the one before was is not removed.",
    file: "server/platform/git/storage/stale-locks.ts",
    find: "left.filter(({ identity }) => now.has(identity))",
    replace: "left.filter(({ identity }) => now !== undefined || identity)",
    tests: [`${git}/stale-locks.test.ts`],
  },
  {
    name: "git-lock-of-maintenance",
    promise: "R9: no lock is removed while maintenance, or another remover, is at work.",
    file: "server/platform/file-locks.ts",
    find: '(await lockFile(file, "exclusive")) ? await work() : undefined',
    replace: "await work()",
    tests: [`${git}/stale-locks.test.ts`],
  },
  {
    name: "git-lock-of-a-neighbour",
    promise: "R9: a push of another server that is there is neither settled nor robbed of its locks.",
    file: "server/domains/hosting/pushes/reconcile-pushes.ts",
    find: "      return isThere;\n",
    replace: "      return false;\n",
    tests: [`${git}/neighbours.test.ts`],
    only: "server that was killed",
  },
  {
    name: "git-orphans-count-as-there",
    promise:
      "R9: a server that was killed counts as there as long as a Git lives that it started for a push.",
    file: "server/platform/git/processes/run-git.ts",
    find: "inherits: options.presence?.fd",
    replace: "inherits: undefined",
    tests: [`${git}/neighbours.test.ts`],
    only: "server that was killed",
  },
];
