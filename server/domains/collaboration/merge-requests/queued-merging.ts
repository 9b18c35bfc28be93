/** What the merge queue needs of merge requests: each is made ready as for a merge of its own, and all land by one push. */
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import { userIdOf } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { MergePass } from "../../hosting/domain.ts";
import { requestCheck } from "./checks.store.ts";
import { mergingText } from "./branch-choice.ts";
import { pairOf, type Branches } from "./branches.ts";
import type { ForeignSources } from "./foreign-source.ts";
import type { Later, LaterActors, LostRight } from "./later-actor.ts";
import type { MakeMerge } from "./make-merge.ts";
import * as store from "./merge-requests.store.ts";
import type { ByQueue } from "./requirements/facts.ts";
import type { MergeRequirements } from "./requirements/service.ts";
import type { MergeRequestSources } from "./sources.ts";

/** A merge request as somebody queued it. */
export interface Queued {
  number: number;
  head: string;
  strategy: MergeStrategy;
  message: string | undefined;
  queuedBy: string | null;
}

/** One that may land, as whoever queued it may merge now. */
export interface ReadyToLand extends Later {
  row: store.MergeRequestRow;
  queued: Queued;
}

/** One of those that land together, with what brings it there. */
export interface Landing extends ReadyToLand {
  sha: string;
  /** What it is merged onto: the commit of the one before it, or where the branch was. */
  onto: string;
  /** What that and its head have in common. */
  base: string;
}

/** Where the branch was, and what it becomes. */
export interface TestedStep {
  branch: string;
  base: string;
  tip: string;
  /** Of what has tested it, by id. */
  runs: readonly string[];
}

/** What it is judged for: merging into this branch, which is at `target`. */
export interface QueuedStep {
  branch: string;
  target: string;
  /** Null: nothing yet. */
  tested: ByQueue["tested"];
}

export interface QueuedMerging {
  /** Throws `not_found`. */
  find(repositoryId: string, number: number): Promise<store.MergeRequestRow>;
  tips(row: store.MergeRequestRow): ReturnType<Branches["tips"]>;
  /** What its head and this commit have in common; undefined: nothing. */
  base(row: store.MergeRequestRow, at: { head: string; target: string }): Promise<string | undefined>;
  /**
   * Whoever queued it may merge it into this branch, and nothing is missing, as far as `tested` goes. Throws `conflict`, also where it
   * goes into another branch by now, and `forbidden`, in words.
   */
  ready(repositoryId: string, queued: Queued, at: QueuedStep): Promise<ReadyToLand>;
  /** As `MakeMerge`: the commit that brings it onto `onto`. */
  make(ready: ReadyToLand, onto: string, signal: AbortSignal): Promise<string>;
  /**
   * From now on nobody closes it until the branch has moved, or `end`. With its work item locked. Throws `conflict` where it is not as it
   * was queued any more, and where another merge of it is under way.
   */
  begin(tx: Transaction, landing: Landing, step: TestedStep): Promise<void>;
  /** Begun, and not long ago. */
  isUnderWay(id: string): Promise<boolean>;
  /** None of them lands now. */
  end(landing: readonly { row: { id: string }; sha: string }[]): Promise<void>;
  /** Asks for each of them what it takes, right before the branch moves. */
  passFor(repositoryId: string, landing: readonly Landing[], step: TestedStep): MergePass;
  /** Git LFS objects, of one from a fork. */
  takeLargeFiles(ready: ReadyToLand, step: Pick<TestedStep, "base">): Promise<void>;
  /** The head stays, and the branch goes where that was wanted and is possible. Safe to repeat. */
  tidy(repositoryId: string, queued: Queued & { deletesBranch: boolean }): Promise<void>;
}

export interface QueuedMergingDeps {
  db: Database;
  branches: Branches;
  laterActors: LaterActors;
  make: MakeMerge;
  requirements: Pick<MergeRequirements, "require">;
  foreignSources: Pick<ForeignSources, "takeLargeFiles">;
  sources: Pick<MergeRequestSources, "removeBranch">;
}

const lostTexts: Record<LostRight, string> = {
  account: "The account of whoever added it is gone or suspended.",
  access: "Whoever added it may not merge here any more.",
  archived: "The repository is archived.",
};

export function createQueuedMerging(deps: QueuedMergingDeps): QueuedMerging {
  const { db, branches, laterActors, requirements } = deps;

  async function find(repositoryId: string, number: number): Promise<store.MergeRequestRow> {
    const row = await store.findMergeRequest(db, repositoryId, number);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function laterOf(queued: Queued, repositoryId: string): Promise<Later> {
    const later = await laterActors.find(queued.queuedBy, repositoryId);
    if ("lost" in later) throw new AppError("forbidden", { message: lostTexts[later.lost] });
    return later;
  }

  async function ready(repositoryId: string, queued: Queued, at: QueuedStep): Promise<ReadyToLand> {
    const [row, later] = await Promise.all([
      find(repositoryId, queued.number),
      laterOf(queued, repositoryId),
    ]);
    // The rules of another branch say nothing of this one.
    if (row.target_branch !== at.branch) throw changed();
    const asked = { ...later, row, queued };
    await requirements.require(later.actor, later.granted, mergeOf(asked, at));
    return asked;
  }

  return {
    find,
    tips: (row) => branches.tips(row.repository_id, pairOf(row)),
    base: (row, { head, target }) => branches.base(row.repository_id, target, head),
    ready,
    make: ({ actor, granted, row, queued }, onto, signal) =>
      deps.make(actor, granted.repository, {
        row,
        compared: { head: queued.head, target: onto },
        strategy: queued.strategy,
        commit_message: queued.message,
        signal,
      }),
    async begin(tx, { actor, row, queued, sha, onto, base }, { branch, tip }) {
      const now = await store.readBranches(tx, row.id);
      const isAsQueued = now.head_sha === queued.head && now.target_branch === branch;
      if (!now.is_open || now.draft || !isAsQueued) throw changed();
      // What the target was for this one alone, so that reverting it takes none of the others along.
      const compared = { head: queued.head, target: onto, base };
      const begun = { id: row.id, sha, strategy: queued.strategy, userId: userIdOf(actor), tip };
      if (!(await store.beginMerging(tx, { ...begun, bypassReason: undefined }, compared)))
        throw new AppError("conflict", { message: mergingText });
    },
    async isUnderWay(id) {
      return (await db.one(store.statements.readBranches, [id]))?.is_merging === true;
    },
    async end(landing) {
      for (const { row, sha } of landing) {
        await store.endMerging(db, row.id, sha);
        // It was begun for a commit that no branch has.
        await requestCheck(db, row.id);
      }
    },
    passFor: (repositoryId, landing, { branch, base, tip: sha, runs }) => ({
      strategy: "merge",
      async judge() {
        for (const { queued } of landing) {
          const at = { branch, target: base, tested: { sha, runs } };
          const problem = await ready(repositoryId, queued, at).then(nothing, said);
          if (problem !== undefined) return { problem: `!${queued.number}: ${problem}` };
        }
        return { bypassed: null };
      },
    }),
    takeLargeFiles: ({ actor, row, queued }, { base }) =>
      deps.foreignSources.takeLargeFiles(actor, row, { head: queued.head, target: base }),
    async tidy(repositoryId, { deletesBranch, ...queued }) {
      await branches.keepHead(repositoryId, queued.number, queued.head);
      const later = deletesBranch ? await laterActors.find(queued.queuedBy, repositoryId) : undefined;
      if (!later || "lost" in later) return;
      const { source_repository_id: sourceId, source_branch: branch } = await find(
        repositoryId,
        queued.number,
      );
      const merged = { repositoryId: sourceId, branch, head: queued.head };
      await deps.sources.removeBranch(later.actor, later.granted.repository, merged);
    },
  };
}

function mergeOf({ row, queued }: Pick<ReadyToLand, "row" | "queued">, { target, tested }: QueuedStep) {
  const { id, number, author_id: authorId } = row;
  const subject = { id, number, authorId, head: queued.head, target };
  return {
    subject,
    target: row.target_branch,
    strategy: queued.strategy,
    bypassReason: undefined,
    queue: { tested },
  };
}

const changed = () =>
  new AppError("conflict", { message: "It is not as it was added to the queue any more." });

const nothing = () => undefined;

function said(error: unknown): string {
  // A server that is too busy to judge has refused nothing.
  if (error instanceof AppError && !errorCatalogue[error.code].retryable) return error.message;
  throw error;
}
