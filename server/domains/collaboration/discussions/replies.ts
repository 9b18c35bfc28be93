/** Replies to discussions of teams, in threads of one level. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxReplies,
  type DiscussionReply,
  type DiscussionReplyCreate,
  type DiscussionReplyUpdate,
} from "@forgeline/schemas/discussions/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { GrantedTeam } from "../../policy/domain.ts";
import type { AttachmentUpkeep } from "../attachments/upkeep.ts";
import { refuseUnread } from "../work-items/refuse-unread.ts";
import { found, lock, seenBy, viewerOf, type Caller } from "./board.ts";
import { statements as discussionStatements, type DiscussionRow } from "./discussions.store.ts";
import { presentReply } from "./present.ts";
import * as store from "./replies.store.ts";
import { discussionRights, replyRights, type BoardViewer } from "./rights.ts";

export interface ReplyAddress {
  number: number;
  id: string;
}

export interface DiscussionReplyService {
  /** Oldest first, each followed by those below it. Throws `not_found`. */
  list(
    actor: Actor,
    granted: GrantedTeam,
    query: PageQuery & { number: number },
  ): Promise<{ items: DiscussionReply[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, granted: GrantedTeam, address: ReplyAddress): Promise<DiscussionReply>;
  /**
   * Throws `not_found`, `forbidden` for who is not in the team or where it is locked, `validation_failed` for a reply that is
   * not there, and `conflict` past the bound.
   */
  create(
    actor: Actor,
    granted: GrantedTeam,
    wanted: DiscussionReplyCreate & { number: number },
  ): Promise<DiscussionReply>;
  /** Throws `not_found`, and `forbidden` for texts of others. What is already so is no change. */
  update(
    actor: Actor,
    granted: GrantedTeam,
    wanted: ReplyAddress & DiscussionReplyUpdate,
  ): Promise<DiscussionReply>;
  /** Throws `not_found`, and `forbidden` for texts of others. */
  remove(actor: Actor, granted: GrantedTeam, address: ReplyAddress): Promise<void>;
}

export interface DiscussionReplyServiceDeps {
  db: Database;
  addresses: Addresses;
  attachments: Pick<AttachmentUpkeep, "noteUsed">;
}

export function createDiscussionReplyService(deps: DiscussionReplyServiceDeps): DiscussionReplyService {
  const { db, addresses, attachments } = deps;

  async function get(actor: Actor, granted: GrantedTeam, { number, id }: ReplyAddress) {
    const viewer = await viewerOf(db, { actor, granted });
    const discussion = await found(db, seenBy(granted, viewer), number);
    return presentReply(await foundReply(db, { discussion, viewer }, id), discussion, { viewer, addresses });
  }

  return {
    async list(actor, granted, { number, ...page }) {
      const viewer = await viewerOf(db, { actor, granted });
      const discussion = await found(db, seenBy(granted, viewer), number);
      const rows = await store.listReplies(
        db,
        { discussionId: discussion.id, viewerId: viewer.userId },
        page,
      );
      const items = rows.map((row) => presentReply(row, discussion, { viewer, addresses }));
      return { items, total: discussion.replies_count };
    },
    get,
    async create(actor, granted, { number, body, reply_to: answered }) {
      const id = newId("rply");
      await db.transaction(async (tx) => {
        const discussion = await lockToReply(tx, { actor, granted }, number);
        const replyTo = answered === null ? null : await threadOf(tx, discussion, answered);
        await tx.query(store.statements.insertReply, [id, discussion.id, userIdOf(actor), body, replyTo]);
        await tx.query(discussionStatements.addReplies, [discussion.id, 1]);
        await attachments.noteUsed(tx, granted.team.id, { body, isPrivate: discussion.private });
        count(tx, "created");
      });
      return get(actor, granted, { number, id });
    },
    async update(actor, granted, { number, id, body, previous_body: previous }) {
      await db.transaction(async (tx) => {
        const { discussion, row } = await lockFor(tx, { actor, granted }, { number, id, right: "edit" });
        if (row.body === body) return;
        refuseUnread(previous, { now: row.body, wanted: body });
        await tx.query(store.statements.setBody, [id, body]);
        await attachments.noteUsed(tx, granted.team.id, { body, isPrivate: discussion.private });
        count(tx, "edited");
      });
      return get(actor, granted, { number, id });
    },
    remove: (actor, granted, address) =>
      db.transaction(async (tx) => {
        const { discussion, row } = await lockFor(tx, { actor, granted }, { ...address, right: "delete" });
        await tx.query(store.statements.deleteReply, [row.id]);
        await tx.query(discussionStatements.addReplies, [discussion.id, -1]);
        count(tx, "deleted");
        if (row.author_id !== actor.userId) await recordRemoval(tx, { actor, granted }, { discussion, row });
      }),
  };
}

async function lockToReply(tx: Transaction, caller: Caller, number: number): Promise<DiscussionRow> {
  const viewer = await viewerOf(tx, caller);
  const discussion = await lock(tx, seenBy(caller.granted, viewer), number);
  if (!discussionRights(viewer, discussion).reply)
    throw new AppError("forbidden", {
      message: viewer.belongs
        ? "The discussion is locked: only those who manage the team reply."
        : "Only those who belong to the team write here.",
    });
  if (discussion.replies_count >= maxReplies)
    throw new AppError("conflict", { message: `There can be at most ${maxReplies} replies here.` });
  return discussion;
}

/** The reply that began what this one belongs to. */
async function threadOf(tx: Transaction, discussion: DiscussionRow, id: string): Promise<string> {
  const answered = await store.findReply(tx, { discussionId: discussion.id, viewerId: null }, id);
  if (!answered) throw invalidField("reply_to", "unknown", "There is no such reply in this discussion.");
  return answered.reply_to ?? answered.id;
}

async function foundReply(
  db: Queryable,
  { discussion, viewer }: { discussion: DiscussionRow; viewer: BoardViewer },
  id: string,
): Promise<store.ReplyRow> {
  const row = await store.findReply(db, { discussionId: discussion.id, viewerId: viewer.userId }, id);
  if (!row) throw new AppError("not_found");
  return row;
}

const refusals = {
  edit: "Only the author changes a reply.",
  delete: "Only the author, and those who manage the team, delete a reply.",
};

async function lockFor(
  tx: Transaction,
  { actor, granted }: Caller,
  { number, id, right }: ReplyAddress & { right: keyof typeof refusals },
): Promise<{ discussion: DiscussionRow; row: store.ReplyRow }> {
  const viewer = await viewerOf(tx, { actor, granted });
  const discussion = await lock(tx, seenBy(granted, viewer), number);
  const row = await foundReply(tx, { discussion, viewer }, id);
  if (!replyRights(viewer, row)[right]) throw new AppError("forbidden", { message: refusals[right] });
  return { discussion, row };
}

function count(tx: Transaction, action: "created" | "edited" | "deleted"): void {
  tx.count("forgeline_collaboration_changes_total", { kind: "discussion_reply", action });
}

/** Deleting what others wrote leaves a trace. */
async function recordRemoval(
  tx: Transaction,
  { actor, granted }: Caller,
  { discussion, row }: { discussion: DiscussionRow; row: store.ReplyRow },
): Promise<void> {
  await recordAudit(tx, actor, {
    action: "discussion.reply_delete",
    target: { type: "discussion_reply", id: row.id, name: `${discussion.team}#${discussion.number}` },
    details: { author: row.author?.username ?? null, team_id: granted.team.id },
    organizationId: granted.organization.id,
  });
}
