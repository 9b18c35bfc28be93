/** Comments in threads on the changes of a merge request, for whoever keeps the threads and the reviews. */
import { maxComments, type Comment } from "@forgeline/schemas/comments/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { userIdOf } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { noteMentioned } from "../attachments/note-mentioned.ts";
import { viewerOf } from "../work-items/may-change.ts";
import type { References } from "../references/references.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import * as store from "./comments.store.ts";
import { presentComment } from "./present.ts";
import { tellOfComment, type Caller } from "./service.ts";

/** Of the comments of one review, for references in them: reading takes time, and others wait for the merge request. */
const maxReadChars = 256 * 1024;

export interface NewThreadComment {
  threadId: string;
  body: string;
  reviewId: string | null;
  /** It waits for its review. */
  isPending: boolean;
}

export interface ThreadComments {
  /** The locked work item is that of the merge request. Its id. Throws `conflict` past the bound of all comments. */
  add(tx: Transaction, caller: Caller, wanted: NewThreadComment & { item: Place["item"] }): Promise<string>;
  /** From now on everybody sees those that waited for the review. How many. Throws as `add`. */
  publish(
    tx: Transaction,
    caller: Caller,
    wanted: { reviewId: string; item: Place["item"] },
  ): Promise<number>;
  countPending(tx: Transaction, reviewId: string): Promise<number>;
  removePending(tx: Transaction, reviewId: string): Promise<void>;
  /** As the caller sees them, oldest first; of each thread at most `limit`. */
  firstOf(
    caller: Caller,
    threadIds: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly Comment[]>>;
  list(caller: Caller, threadId: string, page: PageQuery): Promise<{ items: Comment[]; total: number }>;
  /** Throws `not_found`. */
  get(db: Queryable, caller: Caller, id: string): Promise<Comment>;
}

export interface ThreadCommentsDeps {
  db: Database;
  addresses: Addresses;
  workItems: Pick<WorkItems, "countComment">;
  references: Pick<References, "keep">;
}

export function createThreadComments(deps: ThreadCommentsDeps): ThreadComments {
  const { db, addresses, workItems, references } = deps;
  const shown = ({ actor, granted }: Caller, row: store.CommentRow) =>
    presentComment(row, { repository: granted.repository, viewer: viewerOf(actor, granted), addresses });

  async function published(
    tx: Transaction,
    caller: Caller,
    { item, id, body }: { item: Place["item"]; id: string; body: string },
  ): Promise<void> {
    const place = { actor: caller.actor, repository: caller.granted.repository };
    await references.keep(tx, place, { item, commentId: id, text: body });
    await tellOfComment(tx, caller, { id, action: "created" });
  }

  return {
    async add(tx, caller, { item, threadId, reviewId, isPending, body }) {
      if (item.comments_count >= maxComments) throw tooMany();
      const id = newId("cmt");
      const written = { itemId: item.id, repositoryId: item.repository_id, authorId: userIdOf(caller.actor) };
      const thread = { id: threadId, reviewId, isPending };
      await store.insertComment(tx, { id, ...written, body, thread });
      await noteMentioned(tx, item.repository_id, body);
      if (isPending) return id;
      await workItems.countComment(tx, item.id, 1);
      await published(tx, caller, { item, id, body });
      return id;
    },
    async publish(tx, caller, { reviewId, item }) {
      const waited = await tx.query(store.statements.publish, [reviewId]);
      if (waited.length === 0) return 0;
      if (item.comments_count + waited.length > maxComments) throw tooMany();
      await workItems.countComment(tx, item.id, waited.length);
      let readable = maxReadChars;
      for (const { id, body } of waited) {
        readable -= body.length;
        await published(tx, caller, { item, id, body: readable < 0 ? "" : body });
      }
      return waited.length;
    },
    countPending: async (tx, reviewId) =>
      (await tx.one(store.statements.countPending, [reviewId]))?.total ?? 0,
    async removePending(tx, reviewId) {
      await tx.query(store.statements.removePending, [reviewId]);
    },
    async firstOf(caller, threadIds, limit) {
      const rows = await db.query(store.statements.firstOfThreads, [threadIds, caller.actor.userId, limit]);
      const byThread = Map.groupBy(rows, ({ thread_id: threadId }) => threadId ?? "");
      return new Map(
        [...byThread].map(([threadId, ofThread]) => [threadId, ofThread.map((row) => shown(caller, row))]),
      );
    },
    async list(caller, threadId, { page, per_page: perPage }) {
      const viewer = caller.actor.userId;
      const [rows, counted] = await Promise.all([
        db.query(store.statements.listOfThread, [threadId, viewer, perPage, (page - 1) * perPage]),
        db.one(store.statements.countOfThread, [threadId, viewer]),
      ]);
      return { items: rows.map((row) => shown(caller, row)), total: counted?.total ?? 0 };
    },
    async get(queryable, caller, id) {
      const wanted = { id, viewerId: caller.actor.userId };
      const row = await store.findComment(queryable, caller.granted.repository.id, wanted);
      if (!row) throw new AppError("not_found");
      return shown(caller, row);
    },
  };
}

function tooMany(): AppError {
  return new AppError("conflict", { message: `There can be at most ${maxComments} comments here.` });
}
