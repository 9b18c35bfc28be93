/** Verdicts on one ref by the rules that match it, with facts about commits given. */
import { describe, expect, it } from "vitest";
import { repositoryLevels } from "@forgeline/schemas/core/repository-levels.ts";
import type { CommitFacts } from "@forgeline/server/domains/hosting/protections/commit-facts.ts";
import { judgeBranch, judgeTag } from "@forgeline/server/domains/hosting/protections/judge.ts";
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
    is_exception: false,
    ...change,
  };
}

/** All is well with every commit, unless said otherwise; `asked` is what had to be found out. */
function commitFacts(answers: Partial<Record<keyof CommitFacts, boolean>> = {}) {
  const asked: string[] = [];
  const say = (name: keyof CommitFacts) => () => {
    asked.push(name);
    return answers[name] ?? true;
  };
  const facts: CommitFacts = {
    affordable: () => answers.affordable ?? true,
    goesForward: async () => say("goesForward")(),
    hasPassed: async () => say("hasPassed")(),
    mayBegin: async () => say("mayBegin")(),
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
