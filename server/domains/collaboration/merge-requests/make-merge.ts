/** Makes the commit that brings a merge request into its target. No ref moves. */
import { maxRebasedCommits, type MergeRequestMerge } from "@forgeline/schemas/merge-requests/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Person } from "../../../platform/git/merging/commit-tree.ts";
import { mergeBranch, type BranchOutcome } from "../../../platform/git/merging/merge-branch.ts";
import type { SignCommit } from "../../../platform/git/signatures/sign-commit.ts";
import type { Platform } from "../../../platform/platform.ts";
import { commitIdentity, type UserRow } from "../../accounts/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { Compared, MergeRequestRow } from "./merge-requests.store.ts";
import { defaultMessage } from "./messages.ts";
import { sourceName } from "./present.ts";

export interface MergeMakerDeps extends Pick<Platform, "git" | "storage" | "history" | "files"> {
  signCommit: SignCommit;
  users: {
    get(id: string): Promise<UserRow>;
    getMany(ids: readonly string[]): Promise<Map<string, UserRow>>;
  };
}

export interface MergeToMake extends Pick<MergeRequestMerge, "strategy" | "commit_message"> {
  row: MergeRequestRow;
  compared: Pick<Compared, "head" | "target">;
  /** When it has taken too long. Absent: as long as a request may wait. */
  signal?: AbortSignal;
}

/**
 * Its id. Throws `conflict` where both changed the same lines, with `conflicts`, and where the strategy cannot do it; `unavailable` where
 * it takes too long. May be repeated.
 */
export type MakeMerge = (actor: Actor, repository: RepositoryRef, wanted: MergeToMake) => Promise<string>;

/** For a request. */
const patienceMs = 120_000;
const tooLongText = "Merging these branches takes too long here: merge them with Git, and push.";
/** First lines that a message lists, and one more to know of the rest. */
const maxListed = 1_000;

export function createMergeMaker(deps: MergeMakerDeps): MakeMerge {
  const { git, storage } = deps;

  /** First lines of the messages of the commits, oldest first. */
  async function subjectsOf(
    repository: RepositoryRef,
    { head: sha, target: without }: MergeToMake["compared"],
  ): Promise<string[]> {
    const shas = await deps.history.list(repository.id, { sha, without }, { offset: 0, limit: maxListed });
    const subjects: string[] = [];
    // One at a time, since each may be large, and without asking who has signed it.
    for (const each of shas) {
      const info = await deps.files.commitInfo(repository.id, each);
      if (info) subjects.push(info.message.split("\n", 1)[0] ?? "");
    }
    return subjects.toReversed();
  }

  async function messageOf(repository: RepositoryRef, wanted: MergeToMake) {
    if (wanted.commit_message !== undefined) return wanted.commit_message;
    const { row, compared, strategy } = wanted;
    // No other message lists them.
    const subjects = strategy === "squash" ? await subjectsOf(repository, compared) : [];
    const { number, title, body: description, target_branch: target } = row;
    const source = sourceName(row);
    return defaultMessage(strategy, { number, title, description, source, target, subjects });
  }

  /** All changes at once are the author's; a merge is whose it is. */
  async function peopleOf(actor: Actor, { row, strategy }: MergeToMake) {
    const { author_id: authorId } = row;
    const committer: Person = commitIdentity(await deps.users.get(userIdOf(actor)));
    const isAuthors = strategy === "squash" && authorId !== null;
    const writer = isAuthors ? (await deps.users.getMany([authorId])).get(authorId) : undefined;
    return { committer, author: writer ? commitIdentity(writer) : committer };
  }

  return async (actor, repository, made) => {
    const { signal = AbortSignal.timeout(patienceMs) } = made;
    const { head, target } = made.compared;
    const wanted = {
      strategy: made.strategy,
      target,
      head,
      message: await messageOf(repository, made),
      ...(await peopleOf(actor, made)),
      sign: deps.signCommit,
      maxCommits: maxRebasedCommits,
    };
    const place = { directory: storage.directory(repository.id), signal };
    const outcome = await mergeBranch(git, place, wanted).catch((error: unknown) => {
      throw signal.aborted ? new AppError("unavailable", { message: tooLongText, cause: error }) : error;
    });
    return commitOf(outcome);
  };
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

function conflict(message: string, extra?: Record<string, unknown>): AppError {
  return new AppError("conflict", extra ? { message, extra } : { message });
}
