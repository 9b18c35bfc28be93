/**
 * What rules want of the merge requests of a list, as far as one statement more tells: what the rules themselves say, and reviews,
 * which come with the list. Code owners, the last pusher, runs and signatures are asked for of single ones alone.
 */
import type { Actor } from "../../../../platform/access/actor.ts";
import type { BranchRules, Rule } from "../../../hosting/domain.ts";
import type { GrantedRepository } from "../../../policy/domain.ts";
import type { ListedRow } from "../list.store.ts";
import { decidedIn, nameIn } from "./facts.ts";
import { judgeApprovals, lackingReviews } from "./judge.ts";
import { closedToMerge, noWay } from "./who.ts";
import { wordsOf } from "./words.ts";

export interface ListedRequirements {
  /** Whether what reviews have decided has to come with the list. */
  wantsDecisions: boolean;
  /** As for single ones, without what is not known here. */
  standingOf(row: ListedRow): { blockedBy: string[]; mayMerge: boolean };
}

export async function readListedRequirements(
  branchRules: BranchRules,
  actor: Actor,
  { repository, level }: GrantedRepository,
): Promise<ListedRequirements> {
  const found = await branchRules.read(repository.id, actor.job ? null : actor.userId);
  return {
    wantsDecisions: found.all.some((rule) => rule.required_approvals > 0),
    standingOf(row) {
      const rules = row.state === "open" ? found.matching(row.target_branch) : [];
      return {
        blockedBy: [...noWay(rules), ...lackingIn(rules, row)],
        mayMerge: closedToMerge(rules, level) === undefined,
      };
    },
  };
}

function lackingIn(rules: readonly Rule[], row: ListedRow): string[] {
  const { decisions, people } = decidedIn(row.decisions ?? []);
  const known = rules.map((rule) => ({
    ...rule,
    require_last_push_approval: false,
    require_code_owners: false,
  }));
  const facts = {
    head: row.head_sha,
    authorId: row.author_id,
    lastPusherId: null,
    decisions,
    owners: [],
  };
  return lackingReviews(judgeApprovals(known, facts)).map((each) => wordsOf(each, nameIn(people)));
}
