/** What rules still want of a merge request, as a table: reviews, owners, runs and checks given. */
import { expect, it } from "vitest";
import {
  judgeApprovals,
  lackingOf,
  type Decision,
  type MergeFacts,
  type MergeRule,
  type OwnerNeed,
} from "@forgeline/server/domains/collaboration/merge-requests/requirements/judge.ts";

const [head, older] = ["2".repeat(40), "1".repeat(40)];

const rule = (change: Partial<MergeRule> = {}): MergeRule => ({
  required_approvals: 0,
  dismiss_stale_approvals: false,
  require_last_push_approval: false,
  require_code_owners: false,
  require_pipeline: false,
  required_checks: [],
  merge_queue: null,
  ...change,
});

const facts = (change: Partial<MergeFacts> = {}): MergeFacts => ({
  head,
  authorId: "author",
  lastPusherId: "author",
  decisions: [],
  owners: [],
  checks: [],
  hasPassed: false,
  isQueued: false,
  ...change,
});

const by = (userId: string, change: Partial<Decision> = {}): Decision => ({
  userId,
  state: "approved",
  headSha: head,
  mayWrite: true,
  ...change,
});
const need = (pattern: string, approvals: number, ...deciders: string[]): OwnerNeed => ({
  pattern,
  section: null,
  approvals,
  deciders: new Set(deciders),
});
const kinds = (rules: MergeRule[], change: Partial<MergeFacts>) =>
  lackingOf(rules, facts(change)).map(({ kind }) => kind);

const one = rule({ required_approvals: 1 });
const two = rule({ required_approvals: 2 });
const fresh = rule({ required_approvals: 1, dismiss_stale_approvals: true });
const other = rule({ require_last_push_approval: true });
const owned = rule({ require_code_owners: true });

it.each<[string, MergeRule[], Partial<MergeFacts>, string[]]>([
  ["nothing is asked", [rule()], { decisions: [by("eve", { state: "changes_requested" })] }, []],
  ["nobody has approved", [one], {}, ["approvals"]],
  ["somebody has", [one], { decisions: [by("eve")] }, []],
  ["the author has", [one], { decisions: [by("author")] }, ["approvals"]],
  ["somebody without Write has", [one], { decisions: [by("eve", { mayWrite: false })] }, ["approvals"]],
  ["an approval was dismissed", [one], { decisions: [by("eve", { state: "dismissed" })] }, ["approvals"]],
  ["the strictest of two rules counts", [one, two], { decisions: [by("eve")] }, ["approvals"]],
  ["two have approved", [one, two], { decisions: [by("eve"), by("joe")] }, []],
  [
    "somebody wants changes",
    [one],
    { decisions: [by("eve"), by("joe", { state: "changes_requested", headSha: older })] },
    ["changes_requested"],
  ],
  [
    "somebody without Write wants changes",
    [one],
    { decisions: [by("eve"), by("joe", { state: "changes_requested", mayWrite: false })] },
    [],
  ],
  ["an older head was approved", [one], { decisions: [by("eve", { headSha: older })] }, []],
  ["stale ones do not count", [fresh], { decisions: [by("eve", { headSha: older })] }, ["approvals"]],
  [
    "another rule says that stale ones do not count",
    [two, rule({ dismiss_stale_approvals: true })],
    { decisions: [by("eve"), by("joe", { headSha: older })] },
    ["approvals"],
  ],
  [
    "only the last pusher approved",
    [other],
    { decisions: [by("eve")], lastPusherId: "eve" },
    ["other_approver"],
  ],
  [
    "the last pusher and another one approved",
    [other],
    { decisions: [by("eve"), by("joe")], lastPusherId: "eve" },
    [],
  ],
  [
    "the other one approved before the push",
    [other],
    { decisions: [by("eve"), by("joe", { headSha: older })], lastPusherId: "eve" },
    ["other_approver"],
  ],
  [
    "nobody knows who pushed",
    [other],
    { decisions: [by("eve"), by("joe", { headSha: older })], lastPusherId: null },
    ["other_approver"],
  ],
  [
    "nobody knows who pushed, and two approved",
    [other],
    { decisions: [by("eve"), by("joe")], lastPusherId: null },
    [],
  ],
  ["no owner has approved", [owned], { owners: [need("*.ts", 1)], decisions: [by("eve")] }, ["code_owners"]],
  ["an owner has", [owned], { owners: [need("*.ts", 1, "eve")], decisions: [by("eve")] }, []],
  [
    "one line has, another one has not",
    [owned],
    { owners: [need("*.ts", 1, "eve"), need("/db/", 2, "eve")], decisions: [by("eve")] },
    ["code_owners"],
  ],
  [
    "an owner only decided otherwise",
    [owned],
    { owners: [need("*", 1, "eve")], decisions: [by("eve", { state: "dismissed" })] },
    ["code_owners"],
  ],
  ["owners are not asked for", [one], { owners: [need("*", 1)], decisions: [by("eve")] }, []],
  ["owners cannot be told", [owned], { owners: null, decisions: [by("eve")] }, ["owners_unknown"]],
  ["no run has passed", [rule({ require_pipeline: true })], {}, ["pipeline"]],
  ["a run has passed", [rule({ require_pipeline: true })], { hasPassed: true }, []],
])("decides where %s", (_name, rules, change, expected) => {
  expect(kinds(rules, change)).toEqual(expected);
});

it("takes skipped checks for passed, and no others", () => {
  const check = { pipeline: "ci.yml", job: "test" };
  const rules = [rule({ required_checks: [check] })];
  for (const [state, expected] of [
    ["passed", []],
    ["skipped", []],
    ["failed", ["check"]],
    ["running", ["check"]],
    ["missing", ["check"]],
  ] as const)
    expect([state, kinds(rules, { checks: [{ check, state, run: null }] })]).toEqual([state, expected]);
});

it("says whose approvals count, and how many are missing", () => {
  const owners = [need("*", 3, "eve", "joe")];
  const decisions = [by("eve"), by("joe", { mayWrite: false }), by("author")];
  expect(
    judgeApprovals(
      [rule({ required_approvals: 3, require_code_owners: true })],
      facts({ owners, decisions }),
    ),
  ).toMatchObject({
    required: 3,
    approvedBy: ["eve"],
    missing: 2,
    owners: [{ approvedBy: ["eve"], missing: 2 }],
  });
});
