/**
 * What the rules of the target branch still want of a merge request, from facts; the one place that decides. Where several rules
 * match, the strictest counts.
 */
import type { CheckOutcome, Rule } from "../../../hosting/domain.ts";
import { distinctChecks, isPassed } from "../../../hosting/domain.ts";

/** What the rules ask of a merge request. */
export type MergeRule = Pick<
  Rule,
  | "required_approvals"
  | "dismiss_stale_approvals"
  | "require_last_push_approval"
  | "require_code_owners"
  | "require_pipeline"
  | "required_checks"
  | "merge_queue"
>;

/** The last decisive review of one person. */
export interface Decision {
  userId: string;
  state: "approved" | "changes_requested" | "dismissed";
  /** The head that they saw. */
  headSha: string;
  /** At this moment. */
  mayWrite: boolean;
}

/** A line of CODEOWNERS that matches changed files. */
export interface OwnerNeed {
  pattern: string;
  section: string | null;
  /** Of its owners, who are people and teams with write access, other than the author. */
  approvals: number;
  /** Who of those that decided is an owner. */
  deciders: ReadonlySet<string>;
}

export interface MergeFacts {
  head: string;
  authorId: string | null;
  /** Null: a job, or nobody that we know. */
  lastPusherId: string | null;
  decisions: readonly Decision[];
  /** Null: there is too much to tell whose files change. */
  owners: readonly OwnerNeed[] | null;
  checks: readonly CheckOutcome[];
  /** Any run of the head. */
  hasPassed: boolean;
  /** It comes by the merge queue. */
  isQueued: boolean;
}

export interface OwnerStanding<Need extends OwnerNeed = OwnerNeed> {
  need: Need;
  approvedBy: string[];
  missing: number;
}

export interface ApprovalStanding<Need extends OwnerNeed = OwnerNeed> {
  required: number;
  /** Whose approvals count. */
  approvedBy: string[];
  missing: number;
  /** Whose requests for changes block; none where no approvals are required. */
  changesRequestedBy: string[];
  /** Nobody but the last pusher has approved what was pushed. */
  lacksOtherApprover: boolean;
  owners: OwnerStanding<Need>[];
  /** Nobody can tell whose files change. */
  ownersUnknown: boolean;
}

/** Approvals of the author never count, and those of others from Write on, as they may now. */
export function judgeApprovals<Need extends OwnerNeed>(
  rules: readonly MergeRule[],
  facts: Omit<MergeFacts, "owners" | "checks" | "hasPassed" | "isQueued"> & {
    owners: readonly Need[] | null;
  },
): ApprovalStanding<Need> {
  const { head, authorId, lastPusherId, decisions } = facts;
  const required = Math.max(0, ...rules.map((rule) => rule.required_approvals));
  const isStrict = rules.some((rule) => rule.dismiss_stale_approvals);
  const counted = decisions.filter(({ userId, mayWrite }) => mayWrite && userId !== authorId);
  const approvals = counted.filter(
    ({ state, headSha }) => state === "approved" && (headSha === head || !isStrict),
  );
  const approvedBy = approvals.map(({ userId }) => userId);
  const wantsOther = rules.some((rule) => rule.require_last_push_approval);
  const wantsOwners = rules.some((rule) => rule.require_code_owners);
  return {
    required,
    approvedBy,
    missing: Math.max(0, required - approvedBy.length),
    changesRequestedBy:
      required === 0
        ? []
        : counted.flatMap(({ userId, state }) => (state === "changes_requested" ? [userId] : [])),
    lacksOtherApprover: wantsOther && !hasOtherApprover(approvals, { head, lastPusherId }),
    owners: wantsOwners ? (facts.owners ?? []).map((need) => standingOf(need, approvedBy)) : [],
    ownersUnknown: wantsOwners && facts.owners === null,
  };
}

/** Where nobody knows who pushed, one of any two is somebody else. */
function hasOtherApprover(
  approvals: readonly Decision[],
  { head, lastPusherId }: Pick<MergeFacts, "head" | "lastPusherId">,
): boolean {
  const ofHead = approvals.filter(({ headSha }) => headSha === head);
  if (lastPusherId === null) return ofHead.length >= 2;
  return ofHead.some(({ userId }) => userId !== lastPusherId);
}

function standingOf<Need extends OwnerNeed>(need: Need, approvedBy: readonly string[]): OwnerStanding<Need> {
  const ofOwners = approvedBy.filter((userId) => need.deciders.has(userId));
  return { need, approvedBy: ofOwners, missing: Math.max(0, need.approvals - ofOwners.length) };
}

export type Lacking =
  | { kind: "approvals"; missing: number; required: number }
  | { kind: "changes_requested"; userId: string }
  | { kind: "other_approver" }
  | { kind: "code_owners"; pattern: string; section: string | null; missing: number }
  | { kind: "owners_unknown" }
  | { kind: "queue" }
  | { kind: "pipeline" }
  | { kind: "check"; outcome: CheckOutcome };

/** Empty: it can be merged, as far as the rules go. */
export function lackingOf(rules: readonly MergeRule[], facts: MergeFacts): Lacking[] {
  const ofReviews = lackingReviews(judgeApprovals(rules, facts));
  const wanted = new Set(distinctChecks(rules).map((check) => JSON.stringify([check.pipeline, check.job])));
  const failing = facts.checks.filter(
    (outcome) =>
      wanted.has(JSON.stringify([outcome.check.pipeline, outcome.check.job])) && !isPassed(outcome),
  );
  const lacksQueue = !facts.isQueued && rules.some((rule) => rule.merge_queue !== null);
  const lacksRun = rules.some((rule) => rule.require_pipeline) && !facts.hasPassed;
  return [
    ...(lacksQueue ? [{ kind: "queue" as const }] : []),
    ...ofReviews,
    ...(lacksRun ? [{ kind: "pipeline" as const }] : []),
    ...failing.map((outcome) => ({ kind: "check" as const, outcome })),
  ];
}

/** As far as people decide. */
export function lackingReviews(standing: ApprovalStanding): Lacking[] {
  const { required, missing, changesRequestedBy, owners } = standing;
  return [
    ...(missing > 0 ? [{ kind: "approvals" as const, missing, required }] : []),
    ...changesRequestedBy.map((userId) => ({ kind: "changes_requested" as const, userId })),
    ...(standing.lacksOtherApprover ? [{ kind: "other_approver" as const }] : []),
    ...(standing.ownersUnknown ? [{ kind: "owners_unknown" as const }] : []),
    ...owners
      .filter((owner) => owner.missing > 0)
      .map(({ need: { pattern, section }, missing: more }) => ({
        kind: "code_owners" as const,
        pattern,
        section,
        missing: more,
      })),
  ];
}
