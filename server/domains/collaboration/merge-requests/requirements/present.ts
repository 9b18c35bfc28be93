/** Shows what a merge request has of what the rules want. */
import type {
  MergeRequestApprovals,
  MergeRequestCheck,
} from "@forgeline/schemas/merge-requests/requirements.ts";
import type { Addresses } from "../../../../platform/addresses.ts";
import { presentEventUser } from "../../../accounts/domain.ts";
import { repositoryAddress, type CheckOutcome } from "../../../hosting/domain.ts";
import type { FoundFacts } from "./facts.ts";
import { judgeApprovals, type Lacking, type MergeRule } from "./judge.ts";

export type ShownApprovals = Omit<
  MergeRequestApprovals,
  "unsigned_commits" | "strategies" | "merge_queue" | "blocked_by" | "other_reasons" | "viewer_may"
>;

export function presentApprovals(
  rules: readonly MergeRule[],
  facts: Omit<FoundFacts, "checks" | "hasPassed" | "isQueued">,
  addresses: Addresses,
): ShownApprovals {
  const { required, missing, ...standing } = judgeApprovals(rules, facts);
  const counting = new Set([...standing.approvedBy, ...standing.changesRequestedBy]);
  const personOf = (userId: string) => {
    const row = facts.people.get(userId);
    return row ? [presentEventUser(row.person, addresses)] : [];
  };
  return {
    required,
    given: standing.approvedBy.length,
    missing,
    by: [...facts.people.values()].flatMap((row) =>
      row.state === "dismissed"
        ? []
        : [
            {
              user: presentEventUser(row.person, addresses),
              state: row.state,
              commit_sha: row.head_sha,
              stale: row.head_sha !== facts.head,
              counts: counting.has(row.user_id),
            },
          ],
    ),
    lacks_other_approver: standing.lacksOtherApprover,
    code_owners: standing.owners.map(({ need, approvedBy, missing: more }) => ({
      pattern: need.pattern,
      section: need.section,
      owners: need.owners,
      approved_by: approvedBy.filter((userId) => need.visible.has(userId)).flatMap(personOf),
      missing: more,
    })),
  };
}

/** Whether a field of the record, or one of its checks, says so too. */
export function isSaidBesides({ kind }: Lacking): boolean {
  return kind === "approvals" || kind === "other_approver" || kind === "code_owners" || kind === "check";
}

export function presentCheck(
  { check, state, run }: CheckOutcome,
  { repository, seesRuns, addresses }: CheckView,
): MergeRequestCheck {
  const web = (number: number) => repositoryAddress(addresses, repository).web("pipelines", String(number));
  return {
    pipeline: check.pipeline,
    job: check.job ?? null,
    state,
    run: run && seesRuns ? { ...run, web_url: web(run.number) } : null,
  };
}

export interface CheckView {
  repository: { owner: string; name: string };
  seesRuns: boolean;
  addresses: Addresses;
}
