/** Texts that people write below issues and merge requests. */
import { maxComments, type Comment, type CommentUpdate } from "@forgeline/schemas/comments/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { hasScope, insufficientScope } from "../../../platform/access/requirement.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { noteMentioned } from "../attachments/note-mentioned.ts";
import { mayChange, viewerOf } from "../work-items/may-change.ts";
import type { References } from "../references/references.ts";
import { refuseUnread } from "../work-items/refuse-unread.ts";
import type { ItemKind, WorkItems } from "../work-items/work-items.ts";
import * as store from "./comments.store.ts";
import { mayChangeComment, mayReact, presentComment } from "./present.ts";

/** Which issue or merge request. */
export interface CommentPlace {
  kind: ItemKind;
  number: number;
}

/** In the transaction that writes the comment; what it throws undoes the comment. */
export type Alongside = (tx: Transaction) => Promise<void>;

export interface CommentService {
  /** Oldest first. Throws `not_found`. */
  list(
    actor: Actor,
    granted: GrantedRepository,
    query: CommentPlace & PageQuery,
  ): Promise<{ items: Comment[]; total: number }>;
  /** Throws `not_found`, `forbidden` where it is locked, and `conflict` past the bound. */
  create(
    actor: Actor,
    granted: GrantedRepository,
    wanted: CommentPlace & { body: string; alongside?: Alongside },
  ): Promise<Comment>;
  /** Throws `not_found`. */
  get(actor: Actor, granted: GrantedRepository, id: string): Promise<Comment>;
  /** For reactions to it. Throws as `get`, and `insufficient_scope` for a change. */
  findToReact(
    actor: Actor,
    granted: GrantedRepository,
    wanted: { id: string; isChange: boolean },
  ): Promise<{ id: string; mayReact: boolean }>;
  /** Throws `not_found`, `forbidden` for texts of others, and `conflict` where it is another one than was read. What is already so is no change. */
  update(actor: Actor, granted: GrantedRepository, wanted: CommentUpdate & { id: string }): Promise<Comment>;
  /** Throws `not_found`, and `forbidden` for texts of others. */
  remove(actor: Actor, granted: GrantedRepository, id: string): Promise<void>;
}

export interface CommentServiceDeps {
  db: Database;
  addresses: Addresses;
  workItems: Pick<WorkItems, "lock" | "find" | "countComment">;
  references: Pick<References, "keep">;
  threads: {
    /** A thread without comments goes. The work item is locked before it where both are. */
    removeEmpty(tx: Transaction, threadId: string): Promise<void>;
  };
}

export function createCommentService(deps: CommentServiceDeps): CommentService {
  const { db, addresses, workItems, threads, references } = deps;
  const viewOf = (actor: Actor, granted: GrantedRepository) => ({
    repository: granted.repository,
    viewer: viewerOf(actor, granted),
    addresses,
  });

  async function get(actor: Actor, granted: GrantedRepository, id: string): Promise<Comment> {
    const row = await readable(db, { actor, granted }, id);
    return presentComment(row, viewOf(actor, granted));
  }

  return {
    async list(actor, granted, { kind, number, ...page }) {
      const item = await workItems.find({ repositoryId: granted.repository.id, number, kind });
      const rows = await store.listComments(db, { itemId: item.id, viewerId: actor.userId }, page);
      const view = viewOf(actor, granted);
      return { items: rows.map((row) => presentComment(row, view)), total: item.comments_count };
    },
    async create(actor, granted, { kind, number, body, alongside }) {
      const repositoryId = granted.repository.id;
      const comment = { id: newId("cmt"), repositoryId, authorId: userIdOf(actor), body };
      await db.transaction(async (tx) => {
        const item = await workItems.lock(tx, { repositoryId, number, kind });
        if (!mayChange(viewerOf(actor, granted), item).comment)
          throw new AppError("forbidden", {
            message: "The conversation is locked: it takes Triage to comment.",
          });
        if (item.comments_count >= maxComments)
          throw new AppError("conflict", { message: `There can be at most ${maxComments} comments here.` });
        await store.insertComment(tx, { ...comment, itemId: item.id });
        await noteMentioned(tx, repositoryId, body);
        await workItems.countComment(tx, item.id, 1);
        await references.keep(tx, { actor, ...granted }, { item, commentId: comment.id, text: body });
        await tellOfComment(tx, { actor, granted }, { id: comment.id, action: "created" });
        await alongside?.(tx);
      });
      return get(actor, granted, comment.id);
    },
    get,
    async findToReact(actor, granted, { id, isChange }) {
      const row = await readable(db, { actor, granted }, id);
      if (isChange) requireScope(actor, row);
      return { id, mayReact: mayReact(viewerOf(actor, granted), row) };
    },
    async update(actor, granted, { id, body, previous_body: previous }) {
      await db.transaction(async (tx) => {
        const row = await lockFor(tx, { actor, granted }, { id, right: "edit" });
        if (row.body === body) return;
        refuseUnread(previous, { now: row.body, wanted: body });
        await tx.query(store.statements.setBody, [id, body]);
        await noteMentioned(tx, granted.repository.id, body);
        if (row.is_pending) return;
        const item = { id: row.work_item_id, kind: row.kind };
        await references.keep(tx, { actor, ...granted }, { item, commentId: id, text: body });
        await tellOfComment(tx, { actor, granted }, { id, action: "edited" });
      });
      return get(actor, granted, id);
    },
    remove: (actor, granted, id) =>
      db.transaction(async (tx) => {
        const row = await lockFor(tx, { actor, granted }, { id, right: "delete" });
        if (!row.is_pending) await tellOfComment(tx, { actor, granted }, { id, action: "deleted" });
        await tx.query(store.statements.deleteComment, [id]);
        if (!row.is_pending) await workItems.countComment(tx, row.work_item_id, -1);
        if (row.thread_id !== null) await threads.removeEmpty(tx, row.thread_id);
        if (row.author_id !== actor.userId) await recordRemoval(tx, { actor, granted }, row);
      }),
  };
}

export interface Caller {
  actor: Actor;
  granted: GrantedRepository;
}

async function found(db: Database | Transaction, { actor, granted }: Caller, id: string) {
  const row = await store.findComment(db, granted.repository.id, { id, viewerId: actor.userId });
  if (!row) throw new AppError("not_found");
  return row;
}

async function readable(db: Database, { actor, granted }: Caller, id: string) {
  const row = await found(db, { actor, granted }, id);
  const isOpen = granted.repository.visibility === "public" || hasScope(actor, "mr:read");
  // The contract asks for the scope of issues.
  if (row.kind === "merge_request" && !isOpen) throw new AppError("not_found");
  return row;
}

function requireScope(actor: Actor, { kind }: store.CommentRow): void {
  if (kind === "merge_request" && !hasScope(actor, "mr:write")) throw insufficientScope("mr:write");
}

const refusals = {
  edit: "Only the author, and those with Maintain, change a comment.",
  delete: "Only the author, and admins, delete a comment.",
};

/** Others that change it wait until the transaction ends. */
async function lockFor(
  tx: Transaction,
  { actor, granted }: Caller,
  { id, right }: { id: string; right: "edit" | "delete" },
): Promise<store.CommentRow> {
  if (!(await tx.one(store.statements.lockComment, [granted.repository.id, id, actor.userId])))
    throw new AppError("not_found");
  const row = await found(tx, { actor, granted }, id);
  requireScope(actor, row);
  if (!mayChangeComment(viewerOf(actor, granted), row)[right])
    throw new AppError("forbidden", { message: refusals[right] });
  return row;
}

/** Webhooks, and the metric. */
export async function tellOfComment(
  tx: Transaction,
  { actor, granted }: Caller,
  { id, action }: { id: string; action: "created" | "edited" | "deleted" },
): Promise<void> {
  const comment = await found(tx, { actor, granted }, id);
  const place = { repositoryId: granted.repository.id, senderId: actor.userId };
  await recordRepositoryEvents(tx, place, [{ kind: "comment", action, subject: { comment } }]);
  tx.count("forgeline_collaboration_changes_total", { kind: "comment", action });
}

/** Deleting what others wrote is for admins, and leaves a trace. */
async function recordRemoval(
  tx: Transaction,
  { actor, granted }: Caller,
  row: store.CommentRow,
): Promise<void> {
  const { id: repositoryId, owner, name } = granted.repository;
  const mark = row.kind === "issue" ? "#" : "!";
  await recordAudit(tx, actor, {
    action: "comment.delete",
    target: { type: "comment", id: row.id, name: `${owner}/${name}${mark}${row.number}` },
    details: { author: row.author?.username ?? null, repository_id: repositoryId },
  });
}
