/** Threads on the changes of merge requests: begun, replied to, resolved and reopened. */
import type { Comment } from "@forgeline/schemas/comments/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxShownComments,
  type ReplyCreate,
  type Thread,
  type ThreadCreate,
} from "@forgeline/schemas/reviews/resource.ts";
import type { ThreadQuery } from "@forgeline/schemas/threads/routes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import type { Alongside, Caller } from "../comments/service.ts";
import type { ThreadComments } from "../comments/thread-comments.ts";
import { viewerOf } from "../work-items/may-change.ts";
import type { WorkItems } from "../work-items/work-items.ts";
import { findPlace } from "./places.store.ts";
import { mayResolve, presentThread } from "./present.ts";
import type { ReviewChanges, ReviewedMergeRequests, Reviewing } from "./review-changes.ts";
import type { CheckSeenHead } from "./seen-head.ts";
import type { ThreadPlaces } from "./thread-places.ts";
import * as store from "./threads.store.ts";

/** Which thread. */
export interface ThreadAddress {
  number: number;
  thread: string;
}

type Listed<Item> = Promise<{ items: Item[]; total: number }>;

export interface ThreadService {
  /** Oldest first. Throws `not_found`. */
  list(actor: Actor, granted: GrantedRepository, query: ThreadQuery & { number: number }): Listed<Thread>;
  /** Throws `not_found`, also for one of which somebody else's pending comments are all. */
  get(actor: Actor, granted: GrantedRepository, wanted: ThreadAddress): Promise<Thread>;
  /**
   * Throws `not_found`, `forbidden` where the conversation is locked, `validation_failed` for commits, files and lines that are not the
   * merge request's, and `conflict` past the bounds.
   */
  create(
    actor: Actor,
    granted: GrantedRepository,
    wanted: ThreadCreate & { number: number },
  ): Promise<Thread>;
  /** Oldest first. Throws `not_found`. */
  comments(actor: Actor, granted: GrantedRepository, query: PageQuery & ThreadAddress): Listed<Comment>;
  /** Throws as `create`. */
  reply(
    actor: Actor,
    granted: GrantedRepository,
    wanted: ReplyCreate & ThreadAddress & { alongside?: Alongside },
  ): Promise<Comment>;
  /** Throws `not_found`, `forbidden`, and `conflict` for a pending one. Safe to repeat. */
  setResolved(
    actor: Actor,
    granted: GrantedRepository,
    wanted: ThreadAddress & { resolved: boolean },
  ): Promise<Thread>;
}

export interface ThreadServiceDeps {
  db: Database;
  addresses: Addresses;
  changes: ReviewChanges;
  mergeRequests: Pick<ReviewedMergeRequests, "lock">;
  workItems: Pick<WorkItems, "record">;
  places: ThreadPlaces;
  checkSeenHead: CheckSeenHead;
  threadComments: ThreadComments;
}

export function createThreadService(deps: ThreadServiceDeps): ThreadService {
  const { db, addresses, changes, workItems, threadComments } = deps;

  async function placeOf({ repository }: GrantedRepository, number: number) {
    const row = await findPlace(db, repository.id, number);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function shown(caller: Caller, rows: readonly store.ThreadRow[]): Promise<Thread[]> {
    const { actor, granted } = caller;
    const view = { repository: granted.repository, viewer: viewerOf(actor, granted), addresses };
    const ids = rows.map(({ id }) => id);
    const comments = await threadComments.firstOf(caller, ids, maxShownComments);
    return rows.map((row) => presentThread(row, comments.get(row.id) ?? [], view));
  }

  async function get(actor: Actor, granted: GrantedRepository, wanted: ThreadAddress): Promise<Thread> {
    const caller = { actor, granted };
    const [thread] = await shown(caller, [await found(db, caller, wanted)]);
    return thread!;
  }

  /** Where it waits; null: nowhere. */
  async function reviewOf(
    tx: Transaction,
    reviewing: Reviewing,
    { isPending, headSha }: { isPending: boolean; headSha: string | null },
  ): Promise<string | null> {
    return isPending ? (await changes.pending(tx, reviewing, headSha)).id : null;
  }

  return {
    async list(actor, granted, { number, ...query }) {
      const { id: mergeRequestId } = await placeOf(granted, number);
      const place = { mergeRequestId, viewerId: actor.userId };
      const { rows, total } = await store.listThreads(db, place, query);
      return { items: await shown({ actor, granted }, rows), total };
    },
    get,
    async create(actor, granted, { number, body, pending = false, commit_sha: seen, ...wanted }) {
      const repositoryId = granted.repository.id;
      const row = await placeOf(granted, number);
      const sha = seen ?? row.head_sha;
      await deps.checkSeenHead(repositoryId, row, { userId: actor.userId, sha });
      const fieldOf = (_index: number, name: string) => name;
      const [place] = await deps.places.find(repositoryId, row, { sha, places: [wanted], fieldOf });
      const thread = await db.transaction(async (tx) => {
        const reviewing = await changes.lock(tx, { actor, granted }, number);
        const reviewId = await reviewOf(tx, reviewing, { isPending: pending, headSha: sha });
        return changes.addThread(tx, reviewing, { place: place!, body, reviewId });
      });
      return get(actor, granted, { number, thread });
    },
    async comments(actor, granted, { number, thread, ...page }) {
      await found(db, { actor, granted }, { number, thread });
      return threadComments.list({ actor, granted }, thread, page);
    },
    async reply(actor, granted, { number, thread, body, pending = false, alongside }) {
      const caller = { actor, granted };
      const id = await db.transaction(async (tx) => {
        const reviewing = await changes.lock(tx, caller, number);
        await held(tx, caller, { number, thread });
        const reviewId = await reviewOf(tx, reviewing, { isPending: pending, headSha: null });
        const added = await changes.addComment(tx, reviewing, { threadId: thread, body, reviewId });
        await alongside?.(tx);
        return added;
      });
      return threadComments.get(db, caller, id);
    },
    async setResolved(actor, granted, { number, thread, resolved }) {
      const caller = { actor, granted };
      await db.transaction(async (tx) => {
        const item = await deps.mergeRequests.lock(tx, granted.repository.id, number);
        const row = await held(tx, caller, { number, thread });
        if (row.is_pending)
          throw new AppError("conflict", { message: "It is pending: submit your review first." });
        if (!mayResolve(viewerOf(actor, granted), row))
          throw new AppError("forbidden", { message: resolveText });
        if ((row.resolved_at !== null) === resolved) return;
        await tx.query(store.statements.setResolved, [thread, resolved, actor.userId]);
        const kind = resolved ? "thread_resolved" : "thread_reopened";
        await workItems.record(tx, { item, actor }, [{ kind, details: { thread_id: thread } }]);
        const action = resolved ? "resolved" : "reopened";
        tx.count("forgeline_collaboration_changes_total", { kind: "thread", action });
      });
      return get(actor, granted, { number, thread });
    },
  };
}

const resolveText =
  "Only who proposed the merge request, who began the thread, and those with Write resolve and reopen it.";

async function found(db: Database | Transaction, { actor, granted }: Caller, wanted: ThreadAddress) {
  const { number, thread: id } = wanted;
  const row = await store.findThread(db, granted.repository.id, { number, id, viewerId: actor.userId });
  if (!row) throw new AppError("not_found");
  return row;
}

/** It does not go with its last comment until the transaction ends. */
async function held(tx: Transaction, caller: Caller, wanted: ThreadAddress) {
  const row = await found(tx, caller, wanted);
  if (!(await store.holdThread(tx, wanted.thread))) throw new AppError("not_found");
  return row;
}
