/**
 * The reason why the matching rules refuse an update of a branch or tag; undefined if they allow it. Cheap checks come first.
 */
import { levelCovers, type RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { CommitFacts } from "./commit-facts.ts";
import type { Rule } from "./protections.store.ts";

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
  const closed = closedTo(rules, level, "push here");
  if (closed !== undefined) return closed;
  if (update.after === zeroId) {
    const kept = rules.find((rule) => !rule.allow_deletion);
    return kept && `rule "${kept.pattern}" does not allow deletion`;
  }
  if (!facts.affordable()) return "one push updates too many protected branches: push fewer at once";
  return (
    (await unapproved(update, rules, facts)) ??
    (await notPassed(update, rules, facts)) ??
    (await notForward(update, rules, facts))
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

async function unapproved(
  { before, after }: RefUpdate,
  rules: readonly Rule[],
  facts: CommitFacts,
): Promise<string | undefined> {
  const strictest = rules.toSorted((one, other) => other.required_approvals - one.required_approvals)[0];
  const approvals = strictest?.required_approvals ?? 0;
  if (!strictest || approvals === 0) return undefined;
  const start = `rule "${strictest.pattern}" requires ${approvals} approval${approvals === 1 ? "" : "s"}`;
  if (before !== zeroId) return `${start}: changes need a merge request and cannot be pushed directly`;
  if (await facts.mayBegin(after, approvals)) return undefined;
  return `${start}: it can only be created at a commit of a branch that requires at least as many`;
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
