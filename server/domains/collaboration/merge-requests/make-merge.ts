/** Makes the commit that brings a merge request into its target. No ref moves. */
import { maxRebasedCommits, type MergeRequestMerge } from "@forgeline/schemas/merge-requests/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import { mergeBranch, type BranchOutcome } from "../../../platform/git/merging/merge-branch.ts";
import type { SignCommit } from "../../../platform/git/signatures/sign-commit.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { Compared, MergeRequestRow } from "./merge-requests.store.ts";
import { defaultMessage } from "./messages.ts";
import { sourceName } from "./present.ts";
import { broughtCommits, createSquashAuthors, type Signed, type SquashAuthorDeps } from "./squash-author.ts";

export interface MergeMakerDeps extends Pick<Platform, "git" | "storage">, SquashAuthorDeps {
  signCommit: SignCommit;
}

export interface MergeToMake extends Pick<MergeRequestMerge, "strategy" | "commit_message"> {
  row: MergeRequestRow;
  compared: Pick<Compared, "head" | "target"> & { base?: string };
  /** What merging both leads to, where that is known. */
  tree?: string | undefined;
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

const broughtBy = ({ head: sha, target: without }: MergeToMake["compared"]) => ({ sha, without });

export function createMergeMaker(deps: MergeMakerDeps): MakeMerge {
  const { git, storage } = deps;
  const signSquash = createSquashAuthors(deps);

  /** First lines of the messages of the commits, oldest first. */
  async function subjectsOf(repository: RepositoryRef, { compared }: MergeToMake): Promise<string[]> {
    const subjects: string[] = [];
    for await (const { message } of broughtCommits(deps, repository, broughtBy(compared)))
      subjects.push(message.split("\n", 1)[0] ?? "");
    return subjects.toReversed();
  }

  async function messageOf(repository: RepositoryRef, wanted: MergeToMake) {
    if (wanted.commit_message !== undefined) return wanted.commit_message;
    const { row, strategy } = wanted;
    // No other message lists them.
    const subjects = strategy === "squash" ? await subjectsOf(repository, wanted) : [];
    const { number, title, body: description, target_branch: target } = row;
    const source = sourceName(row);
    return defaultMessage(strategy, { number, title, description, source, target, subjects });
  }

  /** All changes at once are those of who wrote them; a merge is whose it is. */
  async function signedBy(actor: Actor, repository: RepositoryRef, wanted: MergeToMake): Promise<Signed> {
    const message = await messageOf(repository, wanted);
    const { row, compared, strategy } = wanted;
    const authorId = strategy === "squash" ? row.author_id : null;
    const people = { authorId, committerId: userIdOf(actor) };
    return signSquash(repository, { brought: broughtBy(compared), ...people, message });
  }

  return async (actor, repository, made) => {
    const { signal = AbortSignal.timeout(patienceMs) } = made;
    const { head, target, base } = made.compared;
    const wanted = {
      strategy: made.strategy,
      target,
      head,
      base,
      tree: made.tree,
      ...(await signedBy(actor, repository, made)),
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
