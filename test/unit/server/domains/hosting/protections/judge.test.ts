/** Verdicts on one ref by the rules that match it, with facts about commits given. */
import { describe, expect, it } from "vitest";
import { repositoryLevels } from "@forgeline/schemas/core/repository-levels.ts";
import type { CommitFacts } from "@forgeline/server/domains/hosting/protections/commit-facts.ts";
import { judgeBranch, judgeTag } from "@forgeline/server/domains/hosting/protections/judge.ts";
import type { UnverifiedCommits } from "@forgeline/server/domains/hosting/protections/unverified-commits.ts";
import type { Rule } from "@forgeline/server/domains/hosting/protections/protections.store.ts";

const [zero, one, two] = ["0".repeat(40), "1".repeat(40), "2".repeat(40)];

function rule(change: Partial<Rule> = {}): Rule {
  return {
    kind: "branch",
    pattern: "main",
    push_level: "write",
    allow_force_push: false,
    allow_deletion: false,
    required_approvals: 0,
    require_pipeline: false,
    dismiss_stale_approvals: false,
    require_last_push_approval: false,
    require_code_owners: false,
    required_checks: [],
    require_linear_history: false,
    require_signed_commits: false,
    merge_strategies: ["merge", "squash", "rebase", "fast_forward"],
    merge_level: "write",
    merge_queue: null,
    is_exception: false,
    is_merger: false,
    is_bypasser: false,
    ...change,
  };
}

type Answers = Partial<Record<Exclude<keyof CommitFacts, "checks" | "pass" | "unverified">, boolean>> &
  Partial<Pick<CommitFacts, "checks" | "pass" | "unverified">>;

/** All is well with every commit, unless said otherwise, but no review has approved it; `asked` is what had to be found out. */
function commitFacts({ checks, pass, unverified, ...answers }: Answers = {}) {
  const asked: string[] = [];
  const say = (name: keyof typeof answers) => () => {
    asked.push(name);
    return answers[name] ?? true;
  };
  const facts: CommitFacts = {
    affordable: () => answers.affordable ?? true,
    goesForward: async () => say("goesForward")(),
    hasPassed: async () => say("hasPassed")(),
    mayBegin: async () => say("mayBegin")(),
    checks:
      checks ?? (async (_sha, wanted) => wanted.map((check) => ({ check, state: "passed", run: null }))),
    bringsMerge: async () => answers.bringsMerge ?? false,
    isApproved: async () => answers.isApproved ?? false,
    unverified: unverified ?? (async () => []),
    pass,
  };
  return { facts, asked };
}

const update = (before: string, after: string) => ({ ref: "refs/heads/main", before, after });
const forward = update(one, two);
const level = "write" as const;

describe("levels", () => {
  it("lets each level push from its own on, and nobody where there is none", () => {
    for (const [needed, from] of [
      ["write", 2],
      ["maintain", 3],
      ["admin", 4],
      ["none", 5],
    ] as const)
      for (const [index, held] of repositoryLevels.entries()) {
        const judged = { update: update(zero, two), rules: [rule({ push_level: needed })], level: held };
        expect([needed, held, judgeTag(judged) === undefined]).toEqual([needed, held, index >= from]);
      }
  });

  it("lets push whom a rule names, but each rule must", async () => {
    const named = rule({ push_level: "none", is_exception: true });
    const { facts } = commitFacts();
    expect(await judgeBranch({ update: forward, rules: [named], level }, facts)).toBeUndefined();
    const other = rule({ pattern: "m*", push_level: "admin" });
    expect(await judgeBranch({ update: forward, rules: [named, other], level }, facts)).toContain('"m*"');
  });
});

it("asks nothing about commits when the level or a deletion decides", async () => {
  const { facts, asked } = commitFacts();
  const strict = rule({ push_level: "admin", required_approvals: 1, require_pipeline: true });
  expect(await judgeBranch({ update: forward, rules: [strict], level }, facts)).toContain("level admin");
  const deletion = { update: update(one, zero), level };
  expect(await judgeBranch({ ...deletion, rules: [strict], level: "admin" }, facts)).toContain(
    "not allow deletion",
  );
  const free = rule({ allow_deletion: true, required_approvals: 1, require_pipeline: true });
  expect(await judgeBranch({ ...deletion, rules: [free] }, facts)).toBeUndefined();
  expect(await judgeBranch({ ...deletion, rules: [free, rule({ pattern: "m*" })] }, facts)).toContain('"m*"');
  expect(asked).toEqual([]);
});

it("holds an update to approvals, pipeline and history, in this order", async () => {
  const approvals = rule({ required_approvals: 1 });
  const pipeline = rule({ require_pipeline: true });
  const bad = commitFacts({ goesForward: false, hasPassed: false, mayBegin: false });
  const judge = (rules: Rule[], at = forward) => judgeBranch({ update: at, rules, level }, bad.facts);
  expect(await judge([pipeline, approvals])).toContain("1 approval: changes need a merge request");
  expect(await judge([pipeline])).toContain(`requires a passed pipeline, but ${two.slice(0, 12)} has none`);
  expect(await judge([rule()])).toContain("not allow force pushes");
  expect(await judge([rule({ allow_force_push: true })])).toBeUndefined();
  expect(await judge([rule({ allow_force_push: true }), rule({ pattern: "m*" })])).toContain('"m*"');
  // What is new has no history to replace.
  expect(await judge([rule()], update(zero, two))).toBeUndefined();
  expect(await judge([approvals], update(zero, two))).toContain("it can only be created at a commit");
});

it("takes the strictest of several rules about approvals", async () => {
  const rules = [rule({ required_approvals: 1 }), rule({ pattern: "m*", required_approvals: 3 })];
  const { facts } = commitFacts();
  expect(await judgeBranch({ update: forward, rules, level }, facts)).toContain('"m*" requires 3 approvals');
});

it("refuses what would cost too much to find out", async () => {
  const { facts, asked } = commitFacts({ affordable: false });
  expect(await judgeBranch({ update: forward, rules: [rule()], level }, facts)).toContain("push fewer");
  expect(asked).toEqual([]);
});

it("never lets a protected tag move or go", () => {
  const rules = [rule({ kind: "tag", pattern: "v*", push_level: "write", is_exception: true })];
  for (const after of [zero, two])
    expect(judgeTag({ update: update(one, after), rules, level: "admin" })).toContain("cannot be moved or");
});

it("takes a direct push of what reviews have approved, and of nothing else", async () => {
  const approved = commitFacts({ isApproved: true });
  const plain = commitFacts();
  for (const [strict, told] of [
    [rule({ required_approvals: 1 }), "requires 1 approval: changes need a merge request"],
    [rule({ require_code_owners: true }), "requires approval of code owners: changes need"],
    [rule({ require_last_push_approval: true }), "requires an approval: changes need"],
  ] as const) {
    const judged = { update: forward, rules: [strict], level };
    expect(await judgeBranch(judged, plain.facts)).toContain(told);
    expect(await judgeBranch(judged, approved.facts)).toBeUndefined();
  }
});

it("names the first check that a commit lacks, and the rule that wants it", async () => {
  const rules = [
    rule({ required_checks: [{ pipeline: "ci.yml" }] }),
    rule({ pattern: "m*", required_checks: [{ pipeline: "ci.yml", job: "lint" }] }),
  ];
  const judge = (state: "skipped" | "failed" | "running" | "missing") => {
    const { facts } = commitFacts({
      checks: async (_sha, wanted) =>
        wanted.map((check) => ({ check, state: check.job ? state : "passed", run: null })),
    });
    return judgeBranch({ update: forward, rules, level }, facts);
  };
  expect(await judge("skipped")).toBeUndefined();
  expect(await judge("failed")).toContain('"m*" requires ci.yml#lint to pass');
  expect(await judge("running")).toContain("has not ended yet");
  expect(await judge("missing")).toContain("has not run here");
});

it("refuses merge commits where history is linear, also those of a merge request", async () => {
  const { facts } = commitFacts({ bringsMerge: true });
  const rules = [rule({ require_linear_history: true })];
  expect(await judgeBranch({ update: forward, rules, level }, facts)).toContain("linear history");
  const pass = { strategy: "fast_forward" as const, judge: async () => ({ bypassed: null }) };
  const merged = commitFacts({ bringsMerge: true, pass });
  expect(await judgeBranch({ update: forward, rules, level }, merged.facts)).toContain("linear history");
});

it("names commits without a verified signature, and what to do", async () => {
  const rules = [rule({ require_signed_commits: true })];
  const found: UnverifiedCommits = [
    { sha: two, reason: "unsigned" },
    { sha: one, reason: "unknown_key" },
  ];
  const judge = (unverified: UnverifiedCommits, pass?: CommitFacts["pass"]) =>
    judgeBranch(
      { update: forward, rules, level },
      commitFacts({ unverified: async () => unverified, pass }).facts,
    );
  expect(await judge([])).toBeUndefined();
  const named = `requires signed commits: ${two.slice(0, 12)} is not signed, ${one.slice(0, 12)} is signed with a key that nobody here has`;
  expect(await judge(found)).toContain(named);
  expect(await judge(found)).toContain("and push again");
  const pass = { strategy: "merge" as const, judge: async () => ({ bypassed: null }) };
  expect(await judge(found, pass)).toContain("or squash");
  expect(await judge("too_many")).toContain("at most 10000 of them");
  expect(
    await judgeBranch(
      { update: forward, rules: [rule()], level },
      commitFacts({ unverified: async () => found }).facts,
    ),
  ).toBeUndefined();
});

it("asks a merge request instead of who may push, and keeps the branch from going back", async () => {
  const rules = [rule({ push_level: "none", required_approvals: 2, require_pipeline: true })];
  const passWith = (problem?: string) =>
    commitFacts({
      goesForward: true,
      hasPassed: false,
      pass: {
        strategy: "merge",
        judge: async () => (problem === undefined ? { bypassed: null } : { problem }),
      },
    }).facts;
  expect(await judgeBranch({ update: forward, rules, level }, passWith())).toBeUndefined();
  expect(await judgeBranch({ update: forward, rules, level }, passWith("no"))).toBe("no");
  const back = commitFacts({
    goesForward: false,
    pass: { strategy: "merge", judge: async () => ({ bypassed: null }) },
  });
  expect(await judgeBranch({ update: forward, rules, level }, back.facts)).toContain("force pushes");
  // A deletion is no merge.
  const gone = {
    update: update(one, zero),
    rules: [rule({ allow_deletion: true, push_level: "none" })],
    level,
  };
  expect(await judgeBranch(gone, passWith())).toContain("only the users and teams it names");
});
