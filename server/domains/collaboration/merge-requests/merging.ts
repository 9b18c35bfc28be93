/**
 * Merges a merge request: makes the commit, says that it is about to, and moves the target branch as a push does. The record of that
 * push says that it is merged (`push-follower.ts`), so it is merged exactly if the branch has moved, whatever dies in between.
 */
import type { MergeRequest, MergeRequestMerge } from "@forgeline/schemas/merge-requests/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import type { PushService } from "../../hosting/domain.ts";
import type { GrantedRepository, RepositoryRef } from "../../policy/domain.ts";
import { begin as beginAutoMerge, type ClaimedAutoMerge } from "./auto-merges.store.ts";
import { pairOf, type Branches } from "./branches.ts";
import type { MergeRequestChanges } from "./changes.ts";
import type { ForeignSources } from "./foreign-source.ts";
import * as store from "./merge-requests.store.ts";
import { createMergeMaker, type MergeMakerDeps } from "./make-merge.ts";
import { PassingConflict } from "./passing-conflict.ts";
import { draftText } from "./present.ts";
import { requirePushScope } from "./push-scope.ts";
import type { MergeRequirements } from "./requirements/service.ts";
import { mergingText } from "./branch-choice.ts";
import type { MergeRequestService } from "./service.ts";
import type { MergeRequestSources } from "./sources.ts";

export interface MergeRequestMerging {
  /**
   * Throws `not_found`; `conflict` where its state, its head or the branches do not allow it, with `conflicts` where both changed the
   * same lines; and what a push is refused with.
   */
  merge(actor: Actor, granted: GrantedRepository, wanted: Wanted): Promise<MergeRequest>;
}

export interface MergingDeps extends MergeMakerDeps {
  db: Database;
  branches: Branches;
  changes: MergeRequestChanges;
  pushes: Pick<PushService, "move">;
  get: MergeRequestService["get"];
  sources: Pick<MergeRequestSources, "removeBranch">;
  foreignSources: Pick<ForeignSources, "takeLargeFiles">;
  requirements: Pick<MergeRequirements, "require" | "passFor">;
}

type Wanted = Omit<MergeRequestMerge, "when_pipeline_succeeds"> & {
  number: number;
  /** It is merged because it was waited for; that may be over when the merge begins. */
  waited?: WaitedFor;
};
export type WaitedFor = Pick<ClaimedAutoMerge, "merge_request_id" | "wanted">;

/** The target branch may move while a commit is made for it. */
const maxTries = 4;

export function createMergeRequestMerging(deps: MergingDeps): MergeRequestMerging {
  const { db, git, storage, branches, changes, pushes } = deps;
  const makeMerge = createMergeMaker(deps);

  async function ready(repository: RepositoryRef, { number, sha }: Wanted): Promise<Ready> {
    const row = await store.findMergeRequest(db, repository.id, number);
    if (!row) throw new AppError("not_found");
    refuseState(row);
    const pair = pairOf(row);
    const { head, target, kept, result } = await branches.tips(repository.id, pair, number);
    if (!head) throw conflict(`The branch ${pair.source} does not exist any more.`);
    if (!target) throw conflict(`The branch ${pair.target} does not exist any more.`);
    if (sha !== undefined && sha !== head)
      throw new PassingConflict(
        `The source branch is at ${head.slice(0, 12)} now: look at what was pushed, and merge again.`,
      );
    await refuseUnrecorded(repository, row.merging_sha, target);
    const base = await branches.base(repository.id, target, head);
    if (base === undefined) throw conflict("The branches share no history, so they cannot be merged.");
    return { row, compared: { head, target, base }, isKept: kept === head, result };
  }

  /** The tree, as long as its ref is there. */
  async function keptTree(repository: RepositoryRef, { compared, result }: Ready, { strategy }: Wanted) {
    const isMade = strategy === "merge" || strategy === "squash";
    return isMade ? branches.keptTree(repository.id, { ...compared, result }) : undefined;
  }

  /** One that has moved the target branch already, of which the record is on its way. */
  async function refuseUnrecorded(repository: RepositoryRef, merging: string | null, target: string) {
    if (merging === null) return;
    const directory = storage.directory(repository.id);
    const step = { directory, quarantine: null, before: merging, after: target };
    if (await isAncestor(git.run, step)) throw new PassingConflict(mergingText);
  }

  /** From now on nobody closes it, and no other merge begins, until this one has ended. */
  async function begin(actor: Actor, { row, compared }: Ready, merge: BegunWith) {
    await db.transaction(async (tx) => {
      const item = await changes.lock(tx, row.repository_id, row.number);
      const now = await store.readBranches(tx, item.id);
      refuseState({ ...now, state: item.state });
      if (now.target_branch !== row.target_branch)
        throw new PassingConflict("Its target branch has just been changed: look at it again.");
      const { waited, ...made } = merge;
      const begun = { id: item.id, ...made, userId: userIdOf(actor) };
      // Before what waits for it, as a comparison locks them.
      if (!(await store.beginMerging(tx, begun, compared))) throw new PassingConflict(mergingText);
      if (waited && !(await beginAutoMerge(tx, waited, made.sha)))
        throw new PassingConflict("It is not waited for any more, or something has just changed.");
    });
  }

  /** Once it has taken too long, others may have begun, and what is not kept any more may have been removed. */
  async function isUnderWay({ row, result }: Ready, sha: string, tree: string | undefined): Promise<boolean> {
    const { id, number, repository_id: repositoryId } = row;
    const now = await db.one(store.statements.readBranches, [id]);
    if (now?.is_merging !== true || now.merging_sha !== sha) return false;
    return tree === undefined || (await branches.tips(repositoryId, pairOf(row), number)).result === result;
  }

  /** What was merged; undefined where the target branch has moved meanwhile. */
  async function attempt(
    actor: Actor,
    granted: GrantedRepository,
    wanted: Wanted,
  ): Promise<Ready | undefined> {
    const { repository } = granted;
    const isReady = await ready(repository, wanted);
    const { row, compared } = isReady;
    const merge = mergeOf(isReady, wanted);
    // Asked for where nothing is missing, it is a merge as any other.
    const [missing, tree] = await Promise.all([
      deps.requirements.require(actor, granted, merge),
      keptTree(repository, isReady, wanted),
    ]);
    const bypassReason = missing.length > 0 ? merge.bypassReason : undefined;
    const sha = await makeMerge(actor, repository, { ...wanted, row, compared, tree });
    await deps.foreignSources.takeLargeFiles(actor, row, compared);
    const { strategy, waited } = wanted;
    await begin(actor, isReady, { sha, strategy, bypassReason, missing, waited });
    const pass = deps.requirements.passFor(actor, repository, { ...merge, bypassReason });
    const update = { ref: `refs/heads/${row.target_branch}`, before: compared.target, after: sha };
    try {
      const isStillMeant = () => isUnderWay(isReady, sha, tree);
      await pushes.move(repository, actor, { update, pass, isStillMeant });
      return isReady;
    } catch (error) {
      // Whether it has moved is not known then: the record of the push will tell.
      if (!(error instanceof AppError)) throw error;
      await store.endMerging(db, row.id, sha);
      if (error.code !== "conflict") throw error;
      return undefined;
    }
  }

  return {
    async merge(actor, granted, wanted) {
      if (wanted.delete_source_branch) requirePushScope(actor);
      const { repository } = granted;
      let done: Ready | undefined;
      for (let tries = 0; done === undefined && tries < maxTries; tries += 1)
        done = await attempt(actor, granted, wanted);
      if (done === undefined)
        throw new PassingConflict("The target branch is moving too fast: try again in a moment.");
      const merged = await deps.get(actor, granted, wanted.number);
      if (merged.state !== "merged")
        throw new AppError("unavailable", {
          message: "The target branch has moved; the merge request will say so in a moment.",
        });
      const { head } = done.compared;
      if (!done.isKept) await branches.keepHead(repository.id, wanted.number, head);
      if (wanted.delete_source_branch)
        await deps.sources.removeBranch(actor, repository, { ...sourceOf(merged), head });
      return merged;
    },
  };
}

interface Ready {
  row: store.MergeRequestRow;
  compared: store.Compared;
  /** The head has its ref. */
  isKept: boolean;
  /** What the target would become, as it was last compared. */
  result: string | undefined;
}

const sourceOf = ({ source_repo: repository, source_branch: branch }: MergeRequest) => ({
  repositoryId: repository?.id ?? null,
  branch,
});

type BegunWith = Pick<store.BegunMerge, "sha" | "strategy" | "bypassReason" | "missing"> & {
  waited: WaitedFor | undefined;
};

/** What has to have passed is the head of the source branch: the commit that a merge or squash makes is new. */
function mergeOf({ row, compared }: Ready, { strategy, bypass, bypass_reason: reason }: Wanted) {
  const { id, number, author_id: authorId, target_branch: target } = row;
  const { head, target: tip } = compared;
  const subject = { id, number, authorId, head, target: tip };
  return { subject, target, strategy, bypassReason: bypass ? reason : undefined };
}

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}

function refuseState({ state, draft }: { state: string; draft: boolean }): void {
  if (state !== "open")
    throw conflict(state === "merged" ? "It is merged already." : "It is closed: reopen it first.");
  if (draft) throw conflict(draftText);
}
