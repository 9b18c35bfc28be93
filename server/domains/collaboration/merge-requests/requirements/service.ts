/**
 * What the rules for the target branch want of a merge request: shown, said in words, and judged, once before a merge begins and
 * again right before the branch moves.
 */
import type {
  MergeRequestApprovals,
  MergeRequestCheck,
} from "@forgeline/schemas/merge-requests/requirements.ts";
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import { levelCovers, type RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { systemActor, type Actor } from "../../../../platform/access/actor.ts";
import { hasScope } from "../../../../platform/access/requirement.ts";
import type { Addresses } from "../../../../platform/addresses.ts";
import { AppError } from "../../../../platform/app-error.ts";
import {
  distinctChecks,
  type ArrivingCommit,
  type BranchRules,
  type MergePass,
  type Rule,
  type UnverifiedChanges,
} from "../../../hosting/domain.ts";
import type { GrantedRepository, RepositoryRef } from "../../../policy/domain.ts";
import { findMergeRequest, type MergeRequestRow } from "../merge-requests.store.ts";
import { requirePushScope } from "../push-scope.ts";
import { openWithHead } from "./decisions.store.ts";
import { findFacts, findReviewFacts, nameIn, type Asked, type ByQueue, type FactsDeps } from "./facts.ts";
import { judgeApprovals, lackingOf, lackingReviews, type Lacking } from "./judge.ts";
import type { Subject } from "./owner-needs.ts";
import { readListedRequirements, type ListedRequirements } from "./listed.ts";
import { isSaidBesides, presentApprovals, presentCheck } from "./present.ts";
import { beforeQueue, queueRuleOf, type QueueRule } from "./queue-rule.ts";
import { findUnsigned, strategiesFor, unsignedFor, unsignedReasons } from "./signatures.ts";
import { closedToMerge, mayBypass, noWay, strategyProblem } from "./who.ts";
import { wordsOf } from "./words.ts";

export interface Standing {
  /** Why it cannot be merged, in words; empty: nothing stands in its way. */
  blockedBy: string[];
  /** Whether the rules let the actor merge into this branch at all. */
  mayMerge: boolean;
  /** Whether there are rules for the branch at all. */
  hasRules: boolean;
  /** Whether they name runs or jobs that have to pass. */
  wantsRuns: boolean;
}

export interface Merge {
  subject: Subject;
  target: string;
  strategy: MergeStrategy;
  /** Why the actor does without what is missing; undefined: they do not. */
  bypassReason: string | undefined;
  /** Absent: directly. */
  queue?: ByQueue;
}

export interface MergeRequirements {
  /** Throws `not_found`. */
  approvals(actor: Actor, granted: GrantedRepository, number: number): Promise<MergeRequestApprovals>;
  /** What the rules name, by page. Throws `not_found`. */
  checks(
    actor: Actor,
    granted: GrantedRepository,
    wanted: PageQuery & { number: number },
  ): Promise<{ items: MergeRequestCheck[]; total: number }>;
  standingOf(actor: Actor, granted: GrantedRepository, row: MergeRequestRow): Promise<Standing>;
  /** For a list, in one statement. */
  ofList(actor: Actor, granted: GrantedRepository): Promise<ListedRequirements>;
  /**
   * For a merge that comes later, without the credential: throws `insufficient_scope` where rules ask for that of a push, `forbidden`
   * for somebody who may not merge there, and `conflict` for a way that is not allowed.
   */
  requireWay(
    actor: Actor,
    granted: GrantedRepository,
    way: { target: string; strategy: MergeStrategy },
  ): Promise<void>;
  /**
   * Throws `forbidden` for somebody who may not merge or bypass, and `conflict`, with `blocked_by`, where something is missing.
   * What is missing, in words, where the actor does without it; otherwise nothing.
   */
  require(actor: Actor, granted: GrantedRepository, merge: Merge): Promise<readonly string[]>;
  /** Of the rules that say so the strictest, each value for itself; undefined: the branch has none. */
  queueOf(repositoryId: string, branch: string): Promise<QueueRule | undefined>;
  /** Holds for what the merge says at the moment when the branch is about to move. */
  passFor(actor: Actor, repository: RepositoryRef, merge: Merge): MergePass;
  /**
   * Whether reviews approve the commit as the head of an open merge request into the branch. Not while that one is being compared: its
   * head or its target has just moved.
   */
  isApproved(repository: RepositoryRef, arriving: ArrivingCommit): Promise<boolean>;
}

export interface RequirementsDeps extends FactsDeps {
  branchRules: BranchRules;
  unverifiedChanges: UnverifiedChanges;
  addresses: Addresses;
  db: Parameters<typeof findMergeRequest>[0];
}

export function createMergeRequirements(deps: RequirementsDeps): MergeRequirements {
  const { db, branchRules, addresses } = deps;
  // A job is nobody in the lists of users and teams, as for pushes.
  const rulesOf = (actor: Actor, repositoryId: string, branch: string) =>
    branchRules.matching(repositoryId, branch, actor.job ? null : actor.userId);

  const unsignedIn = (repositoryId: string, subject: Subject, rules: readonly Rule[]) =>
    findUnsigned(deps.unverifiedChanges, { repositoryId, subject, rules });

  async function found(repositoryId: string, number: number) {
    const row = await findMergeRequest(db, repositoryId, number);
    if (!row) throw new AppError("not_found");
    return row;
  }

  /** What is missing by these rules, and whether the actor may do without it. */
  async function judge(actor: Actor, { level, ...asked }: Omit<Asked, "actor"> & { level: RepositoryLevel }) {
    const { rules } = asked;
    const facts = await findFacts(deps, { actor, ...asked });
    const found = lackingOf(rules, facts);
    const inWords = (each: Lacking) => wordsOf(each, nameIn(facts.people));
    const unsaid = found.filter((each) => !isSaidBesides(each)).map(inWords);
    const canBypass = found.length > 0 && mayBypass(rules, facts, level);
    return { facts, lacking: found.map(inWords), unsaid, canBypass };
  }

  return {
    async approvals(actor, { repository, level }, number) {
      const row = await found(repository.id, number);
      const rules = await rulesOf(actor, repository.id, row.target_branch);
      const subject = subjectOf(row);
      const asked = { repository, subject, rules, level };
      const queue = beforeQueue(rules);
      const { facts, lacking, unsaid, ...direct } = await judge(actor, { ...asked, queue });
      // Past the queue it takes a bypass, also where nothing else is missing.
      const { canBypass } = queue ? await judge(actor, asked) : direct;
      const isOpen = row.state === "open";
      const unsigned = isOpen ? await unsignedIn(repository.id, subject, rules) : [];
      const unsignedWords = unsignedReasons(rules, unsigned);
      const isLive = isOpen && !repository.archived;
      const merge = isLive && levelCovers(level, "write") && closedToMerge(rules, level) === undefined;
      return {
        ...presentApprovals(rules, facts, addresses),
        unsigned_commits: unsigned,
        strategies: strategiesFor(rules, unsigned),
        merge_queue: queue !== undefined,
        blocked_by: isOpen ? [...noWay(rules), ...unsignedWords, ...lacking] : [],
        other_reasons: isOpen ? [...noWay(rules), ...unsaid] : [],
        viewer_may: { merge, bypass: merge && canBypass && unsignedWords.length === 0 },
      };
    },
    async checks(actor, { repository }, { number, page, per_page: perPage }) {
      const row = await found(repository.id, number);
      const wanted = distinctChecks(await rulesOf(actor, repository.id, row.target_branch));
      const shown = wanted.slice((page - 1) * perPage, page * perPage);
      const outcomes =
        shown.length === 0
          ? []
          : await deps.pipelines.checks(
              { repositoryId: repository.id, sha: row.head_sha, mergeRequest: row.number },
              shown,
            );
      const seesRuns = repository.publicPipelines || hasScope(actor, "pipeline:read");
      const view = { repository, seesRuns, addresses };
      return { items: outcomes.map((outcome) => presentCheck(outcome, view)), total: wanted.length };
    },
    async standingOf(actor, { repository, level }, row) {
      const free = { blockedBy: [], mayMerge: true, hasRules: false, wantsRuns: false };
      if (row.state !== "open") return free;
      const rules = await rulesOf(actor, repository.id, row.target_branch);
      if (rules.length === 0) return free;
      const subject = subjectOf(row);
      const asked = { repository, subject, rules, level, queue: beforeQueue(rules) };
      const { lacking } = await judge(actor, asked);
      const unsigned = unsignedReasons(rules, await unsignedIn(repository.id, subject, rules));
      const mayMerge = closedToMerge(rules, level) === undefined;
      const wantsRuns = rules.some((rule) => rule.require_pipeline) || distinctChecks(rules).length > 0;
      return { blockedBy: [...noWay(rules), ...unsigned, ...lacking], mayMerge, hasRules: true, wantsRuns };
    },
    ofList: (actor, granted) => readListedRequirements(branchRules, actor, granted),
    async requireWay(actor, { repository, level }, { target, strategy }) {
      const rules = await rulesOf(actor, repository.id, target);
      if (rules.length > 0) requirePushScope(actor);
      refuseWay(rules, level, strategy);
    },
    async require(actor, { repository, level }, { subject, target, strategy, bypassReason, queue }) {
      const rules = await rulesOf(actor, repository.id, target);
      refuseWay(rules, level, strategy);
      const { lacking, canBypass } = await judge(actor, { repository, subject, rules, level, queue });
      // Nobody does without signatures.
      const unsigned = unsignedFor(strategy, rules, await unsignedIn(repository.id, subject, rules));
      if (unsigned.length === 0 && lacking.length === 0) return [];
      if (unsigned.length > 0 || bypassReason === undefined) throw blocked([...unsigned, ...lacking]);
      if (!canBypass) throw new AppError("forbidden", { message: noBypassText });
      return lacking;
    },
    async queueOf(repositoryId, branch) {
      return queueRuleOf(await branchRules.matching(repositoryId, branch, null));
    },
    passFor: (actor, repository, { subject, strategy, bypassReason, queue }) => ({
      strategy,
      async judge({ rules, level }) {
        const problem = closedToMerge(rules, level) ?? strategyProblem(rules, strategy);
        if (problem !== undefined) return { problem };
        const { lacking, canBypass } = await judge(actor, { repository, subject, rules, level, queue });
        if (lacking.length === 0) return { bypassed: null };
        if (bypassReason === undefined) return { problem: lacking.join(" ") };
        if (!canBypass) return { problem: noBypassText };
        return { bypassed: { mergeRequest: subject.number, reason: bypassReason, missing: lacking } };
      },
    }),
    async isApproved(repository, { branch, before, sha, rules }) {
      for (const number of await openWithHead(db, { repositoryId: repository.id, branch, sha })) {
        const row = await found(repository.id, number);
        if (row.mergeability === "checking" || row.head_sha !== sha) continue;
        const subject = { ...subjectOf(row), target: before };
        const facts = await findReviewFacts(deps, { actor: systemActor, repository, subject, rules });
        if (lackingReviews(judgeApprovals(rules, facts)).length === 0) return true;
      }
      return false;
    },
  };
}

function blocked(reasons: readonly string[]): AppError {
  return new AppError("conflict", { message: reasons.join(" "), extra: { blocked_by: reasons } });
}

const noBypassText =
  "Only those whom each of these rules names for it, from Maintain on, may merge although something is missing.";

function refuseWay(rules: readonly Rule[], level: RepositoryLevel, strategy: MergeStrategy): void {
  const closed = closedToMerge(rules, level);
  if (closed !== undefined) throw new AppError("forbidden", { message: closed });
  const wrongWay = strategyProblem(rules, strategy);
  if (wrongWay !== undefined) throw new AppError("conflict", { message: wrongWay });
}

function subjectOf(row: MergeRequestRow): Subject {
  return {
    id: row.id,
    number: row.number,
    authorId: row.author_id,
    head: row.head_sha,
    target: row.target_sha,
  };
}
