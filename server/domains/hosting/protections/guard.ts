/** Checks the ref updates of one push against the rules, for every entry point. */
import { setImmediate } from "node:timers/promises";
import { matchesGlob } from "@forgeline/compiler/glob.ts";
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import { shortRefName } from "../../../platform/git/refs/names.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Authorizer, RepositoryRef } from "../../policy/domain.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { BranchInvitation, JudgedCommits } from "../followers.ts";
import type { CommitVerifier } from "../commits/verification.ts";
import type { InvitedPush, PushRights } from "../git-access/push-right.ts";
import type { Bypass, MergePass } from "./merge-pass.ts";
import { createCommitFacts } from "./commit-facts.ts";
import { judgeBranch, judgeTag } from "./judge.ts";
import type { Rule, RuleKind } from "./protections.store.ts";

export interface RefGuard {
  /** A cheap check for the many pushes to which no rule applies. */
  hasRules(repositoryId: string): Promise<boolean>;
  /**
   * The reasons why refs must not be updated, by ref; allowed ones are left out. `quarantine` is the directory of objects that
   * arrived with the push, when they are not in the repository yet. Throws as the permission mechanism does for anybody who may
   * not push here any more.
   */
  judge(push: GuardedPush): Promise<GuardVerdict>;
  /** Cheaper, for right before refs move: whether each ref of a push by invitation still has one. True for other pushes. */
  isStillInvited(push: InvitedPush & Pick<GuardedPush, "isInvited">): Promise<boolean>;
}

export interface GuardVerdict {
  refusals: Map<string, string>;
  /** What rules require, and somebody who may has decided to do without. */
  bypassed: Bypass | null;
  /** By what somebody without Write in the repository pushes there. */
  invitations: readonly BranchInvitation[];
}

export interface GuardedPush {
  repository: RepositoryRef;
  actor: Actor;
  updates: readonly RefUpdate[];
  quarantine: string | null;
  /** Of the merge request that moves the branch. */
  pass?: MergePass | undefined;
  /**
   * The actor has no Write there: each branch has to be one of an invitation, otherwise all of them are refused, and rules count as for
   * somebody with Write.
   */
  isInvited?: boolean | undefined;
}

export interface RefGuardDeps {
  hasRules(repositoryId: string): Promise<boolean>;
  /** Every current rule of the repository, as it applies to this user. */
  rulesFor(repositoryId: string, userId: string | null): Promise<Rule[]>;
  /** What the domains above know of commits. */
  judged: JudgedCommits;
  authorizer: Pick<Authorizer, "authorizeRepository">;
  pushRights: Pick<PushRights, "judge">;
  storage: RepositoryStorage;
  git: Pick<Git, "run" | "start">;
  commitVerifier: CommitVerifier;
}

/** For refs with a rule: limits the time that a push can take. */
const maxMatches = 100_000;

export function createRefGuard(deps: RefGuardDeps): RefGuard {
  async function judgeAll(push: GuardedPush, rules: readonly Rule[], level: RepositoryLevel) {
    const refusals = new Map<string, string>();
    const { repository, quarantine } = push;
    let bypassed: Bypass | null = null;
    const pass = push.pass && {
      ...push.pass,
      judge: async (asked: Parameters<MergePass["judge"]>[0]) => {
        const verdict = await push.pass!.judge(asked);
        if ("bypassed" in verdict) bypassed = verdict.bypassed;
        return verdict;
      },
    };
    const directory = deps.storage.directory(repository.id);
    const facts = createCommitFacts({
      directory,
      quarantine,
      git: deps.git,
      commitVerifier: deps.commitVerifier,
      defaultBranch: repository.defaultBranch,
      branchRules: rules.filter(({ kind }) => kind === "branch"),
      hasPassed: (sha) => deps.judged.hasPassed(repository.id, sha),
      checks: (sha, wanted) => deps.judged.checks(repository.id, sha, wanted),
      isApproved: ({ ref, before, after: sha }, matching) => {
        const branch = shortRefName(ref);
        return deps.judged.isApproved(repository, { branch, before, sha, rules: matching });
      },
      pass,
    });
    for (const update of push.updates) {
      // A long list must not block the event loop for everybody else.
      await setImmediate();
      const kind = kindOf(update.ref);
      const matching = kind ? rulesOn(rules, kind, shortRefName(update.ref)) : [];
      if (matching.length === 0) continue;
      const judged = { update, rules: matching, level };
      const problem = kind === "tag" ? judgeTag(judged) : await judgeBranch(judged, facts);
      if (problem !== undefined) refusals.set(update.ref, problem);
    }
    return { refusals, bypassed };
  }

  async function levelOf(actor: Actor, repository: RepositoryRef): Promise<RepositoryLevel> {
    const requirement = { access: "repo_write", scope: "repo:write", jobs: "allowed" } as const;
    return (await deps.authorizer.authorizeRepository(actor, requirement, repository)).level;
  }

  return {
    hasRules: deps.hasRules,
    isStillInvited: async ({ isInvited, ...push }) =>
      !isInvited || (await deps.pushRights.judge(push)).refusals.size === 0,
    async judge(push) {
      const { repository, actor, updates } = push;
      const invited = push.isInvited ? await deps.pushRights.judge(push) : undefined;
      const { invitations = [] } = invited ?? {};
      if (invited && invited.refusals.size > 0)
        return { refusals: allOf(updates, invited.refusals), bypassed: null, invitations: [] };
      // A job is nobody in the lists of users and teams: whoever wrote its steps need not be who started it.
      const rules = await deps.rulesFor(repository.id, actor.job ? null : actor.userId);
      const judged = updates.filter(({ ref }) => kindOf(ref));
      if (rules.length === 0 || judged.length === 0)
        return { refusals: new Map(), bypassed: null, invitations };
      const max = Math.floor(maxMatches / rules.length);
      if (judged.length > max) {
        const problem = `with ${rules.length} rules in this repository, one push can move at most ${max} branches and tags`;
        return { refusals: new Map(judged.map(({ ref }) => [ref, problem])), bypassed: null, invitations };
      }
      const level = invited ? "write" : await levelOf(actor, repository);
      return { ...(await judgeAll(push, rules, level)), invitations };
    },
  };
}

/** Nothing of a push with a ref that needs an invitation and has none: no other ref of it has been judged by the rules. */
function allOf(updates: readonly RefUpdate[], refusals: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(updates.map(({ ref }) => [ref, refusals.get(ref) ?? togetherText]));
}

const togetherText = "you may not push to another branch or tag of this push: push this branch by itself";

function kindOf(ref: string): RuleKind | undefined {
  if (ref.startsWith("refs/heads/")) return "branch";
  return ref.startsWith("refs/tags/") ? "tag" : undefined;
}

function rulesOn(rules: readonly Rule[], kind: RuleKind, name: string): Rule[] {
  return rules.filter((rule) => rule.kind === kind && matchesGlob(rule.pattern, name));
}
