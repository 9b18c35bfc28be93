/** Mistakes in who may approve, and in what holds the slot of a group. */
import type { Mutant } from "./mutant.ts";

const approvals = ["test/integration/api/pipelines/approvals.test.ts"];
const groups = ["test/integration/api/concurrency/concurrency.test.ts"];

export const gates: readonly Mutant[] = [
  {
    name: "gates-level",
    promise: "Where the file asks for a level, nobody below it may approve.",
    file: "server/domains/pipelines/approvals/may-approve.store.ts",
    find: "coalesce(g.rule ->> 'level', case",
    replace: "coalesce(case",
    tests: approvals,
    only: "level",
  },
  {
    name: "gates-named-besides",
    promise: "Those who are named may approve besides those with the level.",
    file: "server/domains/pipelines/approvals/may-approve.store.ts",
    find: "false)) or (${named}",
    replace: "false)) and (${named}",
    tests: approvals,
    only: "level",
  },
  {
    name: "gates-decided-are-done",
    promise: "What somebody has decided already does not wait for them any more.",
    file: "server/domains/pipelines/approvals/awaited.store.ts",
    find: "    and not exists (select from approvals a where a.gate_id = g.id and a.user_id = u.id)\n",
    replace: "",
    tests: approvals,
    only: "is listed",
  },
  {
    name: "groups-transferred",
    promise: "What waits leaves the groups of the old organization with the transfer.",
    file: "server/domains/pipelines/domain.ts",
    find: "  hosting.onTransfer(leaveOldOwner);\n",
    replace: "",
    tests: groups,
    only: "new organization",
  },
  {
    name: "groups-held-stay",
    promise: "A slot that is held stays in the group of the old organization until its job ends.",
    file: "server/domains/pipelines/concurrency/leave-owner.store.ts",
    find: ' and s.state in (${from("move")})`;',
    replace: "`;",
    tests: groups,
    only: "new organization",
  },
  {
    name: "groups-of-former-owners",
    promise: "Owners of an organization do not learn the names of repositories that left it.",
    file: "server/domains/pipelines/concurrency/present.ts",
    find: "repositoryId === null ? row.is_owners :",
    replace: "repositoryId === null ||",
    tests: groups,
    only: "new organization",
  },
  {
    name: "groups-only-newer-cancel",
    promise: "With `cancel_running`, a run cancels older ones only.",
    file: "server/domains/pipelines/concurrency/slots.store.ts",
    find: "and s.place < a.place and (",
    replace: "and (",
    tests: ["test/integration/workflows/gates-and-slots.test.ts"],
    only: "let through late",
  },
];
