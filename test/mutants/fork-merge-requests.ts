/** Mistakes with merge requests from forks. */
import type { Mutant } from "./mutant.ts";

const tests = ["test/integration/api/merge-requests/fork-merge-requests.test.ts"];
const folder = "server/domains/collaboration/merge-requests";

export const forkMergeRequestMutants: readonly Mutant[] = [
  {
    name: "fork-merge-requests-from-strangers",
    promise: "Only repositories that were forked from each other propose to each other.",
    file: `${folder}/sources.ts`,
    find: "if (await deps.forkNetwork.areRelated(repository.id, source.id)) return source;",
    replace: "if (repository.id !== source.id) return source;",
    tests,
  },
  {
    name: "fork-merge-requests-without-write",
    promise: "A branch of the repository itself takes Write there.",
    file: `${folder}/sources.ts`,
    find: 'if (levelCovers(level, "write")) return repository;',
    replace: 'if (levelCovers(level, "read")) return repository;',
    tests,
  },
  {
    name: "fork-merge-requests-follow-for-nobody",
    promise: "What is pushed to a fork comes only while the author may push there and read here.",
    file: `${folder}/foreign-source.ts`,
    find: 'if (!here || !there || !levelCovers(there.level, "write")) return { problem: "access" };',
    replace: 'if (!there || !levelCovers(there.level, "write")) return { problem: "access" };',
    tests,
  },
  {
    name: "fork-merge-requests-show-what-was-hidden",
    promise: "What is pushed to a fork that fewer people see by now does not come, until its author agrees.",
    file: `${folder}/foreign-source.ts`,
    find: 'if (isNarrower(source.visibility, source.source_visibility)) return { problem: "visibility" };',
    replace: "",
    tests,
  },
  {
    name: "fork-merge-requests-without-bound",
    promise: "No more comes from a fork than the repository may still get.",
    file: "server/platform/git/merging/pack-missing.ts",
    find: "const limit = maxBytes === undefined ? [] : [`--max-input-size=${maxBytes}`];",
    replace: "const limit = maxBytes === undefined ? [] : [`--max-input-size=${maxBytes * 1024 * 1024}`];",
    tests,
  },
];
