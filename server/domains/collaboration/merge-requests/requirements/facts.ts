/** Finds what the rules ask of a merge request, and nothing that they do not ask. */
import type { Actor } from "../../../../platform/access/actor.ts";
import type { UserSnapshot } from "../../../accounts/domain.ts";
import { distinctChecks, type Bringers, type Rule } from "../../../hosting/domain.ts";
import type { MergeQueueRuns, PipelineService, TestedCommit } from "../../../pipelines/domain.ts";
import type { RepositoryRef } from "../../../policy/domain.ts";
import { decisionsOf, seenPush, type DecisionRow } from "./decisions.store.ts";
import type { MergeFacts } from "./judge.ts";
import { findOwnerNeeds, type OwnerNeedsDeps, type ShownNeed, type Subject } from "./owner-needs.ts";

export interface FoundFacts extends MergeFacts {
  owners: ShownNeed[] | null;
  people: ReadonlyMap<string, DecisionRow>;
}

export interface FactsDeps extends OwnerNeedsDeps {
  pipelines: Pick<PipelineService, "checks" | "hasPassed">;
  mergeQueueRuns: Pick<MergeQueueRuns, "checks" | "hasPassed">;
  bringers: Bringers;
}

export interface Asked {
  /** Whoever looks: which teams they see is theirs. */
  actor: Actor;
  repository: RepositoryRef;
  subject: Subject;
  rules: readonly Rule[];
  /** Absent: it is merged directly, and what runs said of its head counts. */
  queue?: ByQueue | undefined;
}

/** It comes by the merge queue, and what its runs said of this commit counts; null: nothing was tested. */
export interface ByQueue {
  tested: TestedCommit | null;
}

/** What reviews decide. */
export async function findReviewFacts(deps: FactsDeps, asked: Asked) {
  const { actor, repository, subject, rules } = asked;
  const some = (test: (rule: Rule) => boolean) => rules.some(test);
  const wantsOwners = some((rule) => rule.require_code_owners);
  const wantsOther = some((rule) => rule.require_last_push_approval);
  const wantsReviews = wantsOwners || wantsOther || some((rule) => rule.required_approvals > 0);
  const [rows, lastPusherId] = await Promise.all([
    wantsReviews ? decisionsOf(deps.db, subject.id) : [],
    wantsOther ? lastPusherOf(deps, subject) : null,
  ]);
  const deciders = rows.map((row) => row.user_id);
  const owners = wantsOwners
    ? await findOwnerNeeds(deps, { viewer: actor, repositoryId: repository.id, subject, deciders })
    : [];
  const { head, authorId } = subject;
  return { head, authorId, lastPusherId, owners, ...decidedIn(rows) };
}

/** What people have decided, and who they are. */
export function decidedIn(rows: readonly DecisionRow[]) {
  const decisions = rows.map((row) => ({
    userId: row.user_id,
    state: row.state,
    headSha: row.head_sha,
    mayWrite: row.may_write,
  }));
  return { decisions, people: new Map(rows.map((row) => [row.user_id, row])) };
}

/** Of a head that came before the merge request, or while it was closed, whoever brought it to its branch. */
async function lastPusherOf({ db, bringers }: FactsDeps, subject: Subject): Promise<string | null> {
  const seen = await seenPush(db, subject);
  if (seen?.is_seen) return seen.user_id;
  const { source_repository_id: repositoryId, source_branch: branch } = seen ?? {};
  if (!repositoryId) return null;
  return (await bringers.find(db, { repositoryId, ref: `refs/heads/${branch}`, sha: subject.head })) ?? null;
}

export async function findFacts(deps: FactsDeps, asked: Asked): Promise<FoundFacts> {
  const [reviews, ofRuns] = await Promise.all([findReviewFacts(deps, asked), findRunFacts(deps, asked)]);
  return { ...reviews, ...ofRuns, isQueued: asked.queue !== undefined };
}

/** Before anything was tested, nothing is missing. */
async function findRunFacts(
  { pipelines, mergeQueueRuns }: FactsDeps,
  { repository: { id: repositoryId }, subject: { head, number }, rules, queue }: Asked,
): Promise<Pick<FoundFacts, "checks" | "hasPassed">> {
  if (queue?.tested === null) return { checks: [], hasPassed: true };
  const wanted = distinctChecks(rules);
  const wantsRun = rules.some((rule) => rule.require_pipeline);
  const tested = queue?.tested;
  const ofHead = { repositoryId, sha: head, mergeRequest: number };
  const [checks, hasPassed] = await Promise.all([
    wanted.length === 0
      ? []
      : tested
        ? mergeQueueRuns.checks(repositoryId, tested, wanted)
        : pipelines.checks(ofHead, wanted),
    wantsRun && (tested ? mergeQueueRuns.hasPassed(tested) : pipelines.hasPassed(ofHead)),
  ]);
  return { checks, hasPassed };
}

/** With the sign that marks people. */
export function nameIn(people: ReadonlyMap<string, { person: UserSnapshot }>): (userId: string) => string {
  return (userId) => `@${people.get(userId)?.person.username ?? "somebody"}`;
}
