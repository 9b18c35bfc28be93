/**
 * Merges a merge request: makes the commit, says that it is about to, and moves the target branch as a push does. The record of that
 * push says that it is merged (`push-follower.ts`), so it is merged exactly if the branch has moved, whatever dies in between.
 */
import type { MergeRequest, MergeRequestMerge } from "@forgeline/schemas/merge-requests/resource.ts";
import { maxRebasedCommits } from "@forgeline/schemas/merge-requests/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import type { Person } from "../../../platform/git/merging/commit-tree.ts";
import { mergeBranch, type BranchOutcome } from "../../../platform/git/merging/merge-branch.ts";
import type { Platform } from "../../../platform/platform.ts";
import { commitIdentity, type UserRow } from "../../accounts/domain.ts";
import type { CommitService, PushService } from "../../hosting/domain.ts";
import type { GrantedRepository, RepositoryRef } from "../../policy/domain.ts";
import { begin as beginAutoMerge, type ClaimedAutoMerge } from "./auto-merges.store.ts";
import { pairOf, type Branches } from "./branches.ts";
import type { MergeRequestChanges } from "./changes.ts";
import type { ForeignSources } from "./foreign-source.ts";
import * as store from "./merge-requests.store.ts";
import { defaultMessage } from "./messages.ts";
import { draftText, sourceName } from "./present.ts";
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

export interface MergingDeps extends Pick<Platform, "git" | "storage" | "history" | "logger"> {
  db: Database;
  branches: Branches;
  changes: MergeRequestChanges;
  pushes: Pick<PushService, "move">;
  commits: Pick<CommitService, "show">;
  users: {
    get(id: string): Promise<UserRow>;
    getMany(ids: readonly string[]): Promise<Map<string, UserRow>>;
  };
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

/** For a request. */
const patienceMs = 120_000;
const tooLongText = "Merging these branches takes too long here: merge them with Git, and push.";
/** The target branch may move while a commit is made for it. */
const maxTries = 4;

export function createMergeRequestMerging(deps: MergingDeps): MergeRequestMerging {
  const { db, git, storage, branches, changes, pushes } = deps;

  async function ready(repository: RepositoryRef, { number, sha }: Wanted): Promise<Ready> {
    const row = await store.findMergeRequest(db, repository.id, number);
    if (!row) throw new AppError("not_found");
    refuseState(row);
    const pair = pairOf(row);
    const { head, target } = await branches.tips(repository.id, pair);
    if (!head) throw conflict(`The branch ${pair.source} does not exist any more.`);
    if (!target) throw conflict(`The branch ${pair.target} does not exist any more.`);
    if (sha !== undefined && sha !== head)
      throw conflict(
        `The source branch is at ${head.slice(0, 12)} now: look at what was pushed, and merge again.`,
      );
    await refuseUnrecorded(repository, row.merging_sha, target);
    const base = await branches.base(repository.id, target, head);
    if (base === undefined) throw conflict("The branches share no history, so they cannot be merged.");
    return { row, compared: { head, target, base } };
  }

  /** One that has moved the target branch already, of which the record is on its way. */
  async function refuseUnrecorded(repository: RepositoryRef, merging: string | null, target: string) {
    if (merging === null) return;
    const directory = storage.directory(repository.id);
    const step = { directory, quarantine: null, before: merging, after: target };
    if (await isAncestor(git.run, step)) throw conflict(mergingText);
  }

  async function messageOf(repository: RepositoryRef, { row, compared }: Ready, wanted: Wanted) {
    if (wanted.commit_message !== undefined) return wanted.commit_message;
    const { head: sha, target: without } = compared;
    const shas = await deps.history.list(repository.id, { sha, without }, { offset: 0, limit: maxListed });
    const shown = wanted.strategy === "squash" ? await deps.commits.show(repository, shas) : [];
    const subjects = shown.map(({ message }) => message.split("\n", 1)[0] ?? "").toReversed();
    const { number, title, body: description, target_branch: target } = row;
    const source = sourceName(row);
    return defaultMessage(wanted.strategy, { number, title, description, source, target, subjects });
  }

  /** All changes at once are the author's; a merge is whose it is. */
  async function peopleOf(actor: Actor, { author_id: authorId }: store.MergeRequestRow, wanted: Wanted) {
    const committer: Person = commitIdentity(await deps.users.get(userIdOf(actor)));
    const isAuthors = wanted.strategy === "squash" && authorId !== null;
    const writer = isAuthors ? (await deps.users.getMany([authorId])).get(authorId) : undefined;
    return { committer, author: writer ? commitIdentity(writer) : committer };
  }

  async function make(actor: Actor, repository: RepositoryRef, made: { ready: Ready; wanted: Wanted }) {
    const { row, compared } = made.ready;
    const { strategy } = made.wanted;
    const signal = AbortSignal.timeout(patienceMs);
    const wanted = {
      strategy,
      target: compared.target,
      head: compared.head,
      message: await messageOf(repository, made.ready, made.wanted),
      ...(await peopleOf(actor, row, made.wanted)),
      maxCommits: maxRebasedCommits,
    };
    const place = { directory: storage.directory(repository.id), signal };
    const outcome = await mergeBranch(git, place, wanted).catch((error: unknown) => {
      throw signal.aborted ? new AppError("unavailable", { message: tooLongText, cause: error }) : error;
    });
    return commitOf(outcome);
  }

  /** From now on nobody closes it, and no other merge begins, until this one has ended. */
  async function begin(actor: Actor, { row, compared }: Ready, merge: BegunWith) {
    await db.transaction(async (tx) => {
      const item = await changes.lock(tx, row.repository_id, row.number);
      const now = await store.readBranches(tx, item.id);
      refuseState({ ...now, state: item.state });
      if (now.target_branch !== row.target_branch)
        throw conflict("Its target branch has just been changed: look at it again.");
      const { waited, ...made } = merge;
      if (waited && !(await beginAutoMerge(tx, waited, made.sha)))
        throw conflict("It is not waited for any more, or something has just changed.");
      const begun = { id: item.id, ...made, userId: userIdOf(actor) };
      if (!(await store.beginMerging(tx, begun, compared))) throw conflict(mergingText);
    });
  }

  /** False where the target branch has moved meanwhile. */
  async function attempt(
    actor: Actor,
    granted: GrantedRepository,
    wanted: Wanted,
  ): Promise<string | undefined> {
    const { repository } = granted;
    const isReady = await ready(repository, wanted);
    const { row, compared } = isReady;
    const merge = mergeOf(isReady, wanted);
    // Asked for where nothing is missing, it is a merge as any other.
    const doesBypass = await deps.requirements.require(actor, granted, merge);
    const bypassReason = doesBypass ? merge.bypassReason : undefined;
    const sha = await make(actor, repository, { ready: isReady, wanted });
    await deps.foreignSources.takeLargeFiles(actor, row, compared);
    const { strategy, waited } = wanted;
    await begin(actor, isReady, { sha, strategy, bypassReason, waited });
    const pass = deps.requirements.passFor(actor, repository, { ...merge, bypassReason });
    const update = { ref: `refs/heads/${row.target_branch}`, before: compared.target, after: sha };
    try {
      await pushes.move(repository, actor, { update, pass });
      return compared.head;
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
      const { repository } = granted;
      let head: string | undefined;
      for (let tries = 0; head === undefined && tries < maxTries; tries += 1)
        head = await attempt(actor, granted, wanted);
      if (head === undefined) throw conflict("The target branch is moving too fast: try again in a moment.");
      const merged = await deps.get(actor, granted, wanted.number);
      if (merged.state !== "merged")
        throw new AppError("unavailable", {
          message: "The target branch has moved; the merge request will say so in a moment.",
        });
      await branches.keepHead(repository.id, wanted.number, head);
      if (wanted.delete_source_branch)
        await deps.sources.removeBranch(actor, repository, { ...sourceOf(merged), head });
      return merged;
    },
  };
}

/** First lines that a message lists, and one more to know of the rest. */
const maxListed = 1_000;

interface Ready {
  row: store.MergeRequestRow;
  compared: store.Compared;
}

const sourceOf = ({ source_repo: repository, source_branch: branch }: MergeRequest) => ({
  repositoryId: repository?.id ?? null,
  branch,
});

type BegunWith = Pick<store.BegunMerge, "sha" | "strategy" | "bypassReason"> & {
  waited: WaitedFor | undefined;
};

/** What has to have passed is the head of the source branch: the commit that a merge or squash makes is new. */
function mergeOf({ row, compared }: Ready, { strategy, bypass, bypass_reason: reason }: Wanted) {
  const { id, number, author_id: authorId, target_branch: target } = row;
  const { head, target: tip } = compared;
  const subject = { id, number, authorId, head, target: tip };
  return { subject, target, strategy, bypassReason: bypass ? reason : undefined };
}

function conflict(message: string, extra?: Record<string, unknown>): AppError {
  return new AppError("conflict", extra ? { message, extra } : { message });
}

function refuseState({ state, draft }: { state: string; draft: boolean }): void {
  if (state !== "open")
    throw conflict(state === "merged" ? "It is merged already." : "It is closed: reopen it first.");
  if (draft) throw conflict(draftText);
}

const impossible = {
  nothing: "The target branch has all of its changes already: close it.",
  not_forward:
    "The target branch has commits that the source branch lacks, so it cannot be moved forward: rebase the source branch, or use another strategy.",
  too_many: `The source branch has more than ${maxRebasedCommits} commits to rebase: use another strategy.`,
};

function commitOf(outcome: BranchOutcome): string {
  if ("commit" in outcome) return outcome.commit;
  if ("impossible" in outcome) throw conflict(impossible[outcome.impossible]);
  const { conflicts, at } = outcome;
  const where = at === undefined ? "" : `, at commit ${at.slice(0, 12)}`;
  const message = `Both branches changed the same lines${where}: bring the target branch into the source branch, and resolve them there.`;
  throw conflict(message, { conflicts });
}
