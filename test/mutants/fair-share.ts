/** Mistakes in whose turn it is. */
import type { Mutant } from "./mutant.ts";

const tests = ["test/integration/runner-hub/fair-share.test.ts"];

export const fairShare: readonly Mutant[] = [
  {
    name: "share-forgets-owners",
    promise: "Owners share equally, however many repositories each has.",
    file: "server/domains/pipelines/leases/offers.store.ts",
    find: '${byShare("f.owner_id")}, ',
    replace: "",
    tests,
    only: "owners share equally",
  },
  {
    name: "share-counts-own-runners",
    promise: "Whoever brings runners loses no share of the others.",
    file: "server/domains/pipelines/leases/offers.store.ts",
    find: "and a.share_scope = (select share_scope from claimant) ",
    replace: "",
    tests,
    only: "brings itself",
  },
  {
    name: "share-forgets-turns",
    promise: "On a single slot, those who wait have their turns one after the other.",
    file: "server/domains/pipelines/leases/offers.store.ts",
    find: ", coalesce(($4::jsonb ->> ${id})::int, 0)",
    replace: "",
    tests,
    only: "two hundred jobs",
  },
  {
    name: "share-forgets-what-waits-longest",
    promise: "Nobody waits for ever because others have less under way.",
    file: "server/domains/pipelines/leases/offers.store.ts",
    find: "case when $5 then f.turn_at end",
    replace: "case when $5 then null::timestamptz end",
    tests,
    only: "one offer in sixteen",
  },
  {
    name: "share-priority-forgotten-within-a-repository",
    promise: "Within a repository, what is more important goes first.",
    file: "server/domains/pipelines/leases/offers.store.ts",
    find: "order by a.turn_at, a.id limit 1 for update skip locked",
    replace: "order by a.queued_at, a.id limit 1 for update skip locked",
    tests,
    only: "what is more important",
  },
  {
    name: "share-priority-above-what-is-allowed",
    promise: "A job has no higher priority than the operator allows.",
    file: "server/domains/pipelines/runs/priority.ts",
    find: "Math.min(wanted, max, highestPriority)",
    replace: "Math.min(wanted, highestPriority)",
    tests: ["test/unit/server/domains/pipelines/runs/priority.test.ts"],
  },
];
