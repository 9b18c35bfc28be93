/**
 * The reason why the matching rules refuse an update of a branch or tag; undefined if they allow it. Cheap checks come first.
 */
import { levelCovers, type RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { distinctChecks, isPassed, nameOfCheck, type CheckWanted } from "./checks.ts";
import type { CommitFacts } from "./commit-facts.ts";
import type { MergePass } from "./merge-pass.ts";
import type { Rule } from "./protections.store.ts";
import { maxNewCommits } from "./unverified-commits.ts";
import { nameUnverified } from "./unverified-words.ts";

interface Judged {
  update: RefUpdate;
  /** The matching rules only. */
  rules: readonly Rule[];
  level: RepositoryLevel;
}

export function judgeTag({ update, rules, level }: Judged): string | undefined {
  const [first] = rules;
  if (first && update.before !== zeroId)
    return `rule "${first.pattern}" protects this tag: it cannot be moved or deleted`;
  return closedTo(rules, level, "create this tag");
}

export async function judgeBranch(judged: Judged, facts: CommitFacts): Promise<string | undefined> {
  const { update, rules, level } = judged;
  const isDeletion = update.after === zeroId;
  const pass = isDeletion ? undefined : facts.pass;
  const closed = pass ? undefined : closedTo(rules, level, "push here");
  if (closed !== undefined) return closed;
  if (isDeletion) {
    const kept = rules.find((rule) => !rule.allow_deletion);
    return kept && `rule "${kept.pattern}" does not allow deletion`;
  }
  if (!facts.affordable()) return "one push updates too many protected branches: push fewer at once";
  const lacking = pass ? await unmerged(pass, { rules, level }) : await unpushable(update, rules, facts);
  return (
    lacking ??
    (await notForward(update, rules, facts)) ??
    (await notLinear(update, rules, facts)) ??
    (await notSigned(update, rules, facts))
  );
}

async function unmerged(
  pass: MergePass,
  asked: Parameters<MergePass["judge"]>[0],
): Promise<string | undefined> {
  const verdict = await pass.judge(asked);
  return "problem" in verdict ? verdict.problem : undefined;
}

async function unpushable(
  update: RefUpdate,
  rules: readonly Rule[],
  facts: CommitFacts,
): Promise<string | undefined> {
  return (
    aroundQueue(update, rules) ??
    (await unapproved(update, rules, facts)) ??
    (await notPassed(update, rules, facts)) ??
    (await withoutChecks(update, rules, facts))
  );
}

function closedTo(rules: readonly Rule[], level: RepositoryLevel, what: string): string | undefined {
  const closed = rules.find(({ is_exception: isException, push_level: least }) => {
    return !isException && (least === "none" || !levelCovers(level, least));
  });
  if (!closed) return undefined;
  const { pattern, push_level: least } = closed;
  if (least === "none") return `rule "${pattern}" allows only the users and teams it names to ${what}`;
  return `rule "${pattern}" allows only level ${least} or higher, or the users and teams it names, to ${what}`;
}

/** What lands has to have been tested as it lands. */
function aroundQueue({ before }: RefUpdate, rules: readonly Rule[]): string | undefined {
  const strict = rules.find((rule) => rule.merge_queue !== null);
  if (!strict || before === zeroId) return undefined;
  return `rule "${strict.pattern}" has a merge queue: changes need a merge request that is added to it, and cannot be pushed directly`;
}

async function unapproved(
  update: RefUpdate,
  rules: readonly Rule[],
  facts: CommitFacts,
): Promise<string | undefined> {
  const { before, after } = update;
  const strictest = rules.toSorted((one, other) => other.required_approvals - one.required_approvals)[0];
  const approvals = strictest?.required_approvals ?? 0;
  const ofOwners = rules.find((rule) => rule.require_code_owners);
  const ofOthers = rules.find((rule) => rule.require_last_push_approval);
  const strict = approvals > 0 ? strictest : (ofOwners ?? ofOthers);
  if (!strict) return undefined;
  const what = approvals > 0 ? countOf(approvals) : ofOwners ? "approval of code owners" : "an approval";
  const start = `rule "${strict.pattern}" requires ${what}`;
  if (before === zeroId) {
    if (await facts.mayBegin(after, { approvals, codeOwners: ofOwners !== undefined })) return undefined;
    return `${start}: it can only be created at a commit of a branch that requires at least as many`;
  }
  if (await facts.isApproved(update, rules)) return undefined;
  return `${start}: changes need a merge request and cannot be pushed directly`;
}

function countOf(approvals: number): string {
  return `${approvals} approval${approvals === 1 ? "" : "s"}`;
}

async function notPassed(
  { after }: RefUpdate,
  rules: readonly Rule[],
  facts: CommitFacts,
): Promise<string | undefined> {
  const strict = rules.find((rule) => rule.require_pipeline);
  if (!strict || (await facts.hasPassed(after))) return undefined;
  return `rule "${strict.pattern}" requires a passed pipeline, but ${after.slice(0, 12)} has none here: push it to another branch first`;
}

async function notForward(
  { before, after }: RefUpdate,
  rules: readonly Rule[],
  facts: CommitFacts,
): Promise<string | undefined> {
  const strict = rules.find((rule) => !rule.allow_force_push);
  if (!strict || before === zeroId || (await facts.goesForward(before, after))) return undefined;
  return `rule "${strict.pattern}" does not allow force pushes`;
}

async function withoutChecks(
  { after }: RefUpdate,
  rules: readonly Rule[],
  facts: CommitFacts,
): Promise<string | undefined> {
  const wanted = distinctChecks(rules);
  if (wanted.length === 0) return undefined;
  const lacking = (await facts.checks(after, wanted)).find((outcome) => !isPassed(outcome));
  if (!lacking) return undefined;
  const strict = rules.find((rule) => distinctChecks([rule]).some((check) => isSame(check, lacking.check)));
  return `rule "${strict?.pattern ?? ""}" requires ${nameOfCheck(lacking.check)} to pass, and for ${after.slice(0, 12)} it ${saidOf[lacking.state]}: push it to another branch first`;
}

function isSame(one: CheckWanted, other: CheckWanted): boolean {
  return one.pipeline === other.pipeline && one.job === other.job;
}

const saidOf = {
  passed: "passed",
  skipped: "was skipped",
  failed: "did not",
  running: "has not ended yet",
  missing: "has not run here",
};

async function notLinear(
  { before, after }: RefUpdate,
  rules: readonly Rule[],
  facts: CommitFacts,
): Promise<string | undefined> {
  const strict = rules.find((rule) => rule.require_linear_history);
  if (!strict || !(await facts.bringsMerge(before, after))) return undefined;
  return `rule "${strict.pattern}" requires a linear history: merge commits are refused, so rebase or squash`;
}

async function notSigned(
  update: RefUpdate,
  rules: readonly Rule[],
  facts: CommitFacts,
): Promise<string | undefined> {
  const strict = rules.find((rule) => rule.require_signed_commits);
  if (!strict) return undefined;
  const unverified = await facts.unverified(update);
  const start = `rule "${strict.pattern}" requires signed commits`;
  if (unverified === "too_many")
    return `${start}, and one push can bring at most ${maxNewCommits} of them: push in steps`;
  if (unverified.length === 0) return undefined;
  return `${start}: ${nameUnverified(unverified)}; sign them with a key of your account, ${facts.pass ? "or squash" : "and push again"}`;
}
