/** Discussions on the board of a team: started by who belongs to it, kept in order by who manages it. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxDiscussions,
  maxPinnedDiscussions,
  type Discussion,
  type DiscussionCreate,
  type DiscussionUpdate,
} from "@forgeline/schemas/discussions/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { GrantedTeam } from "../../policy/domain.ts";
import type { AttachmentUpkeep } from "../attachments/upkeep.ts";
import { refuseUnread } from "../work-items/refuse-unread.ts";
import { found, lock, seenBy, viewerOf, type Caller } from "./board.ts";
import * as store from "./discussions.store.ts";
import { presentDiscussion } from "./present.ts";
import { discussionRights } from "./rights.ts";

export interface DiscussionService {
  /** Throws `forbidden` for who does not belong to the team. */
  requireWriter(actor: Actor, granted: GrantedTeam): Promise<void>;
  /** Pinned ones, then the newest first. */
  list(actor: Actor, granted: GrantedTeam, page: PageQuery): Promise<{ items: Discussion[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, granted: GrantedTeam, number: number): Promise<Discussion>;
  /** Throws `forbidden` for who is not in the team, and `conflict` past the bound. */
  create(actor: Actor, granted: GrantedTeam, wanted: DiscussionCreate): Promise<Discussion>;
  /** Throws `not_found`, and `forbidden` for texts of others. What is already so is no change. */
  update(
    actor: Actor,
    granted: GrantedTeam,
    wanted: DiscussionUpdate & { number: number },
  ): Promise<Discussion>;
  /** Throws `not_found`, and `forbidden` for texts of others. */
  remove(actor: Actor, granted: GrantedTeam, number: number): Promise<void>;
  /** Throws `not_found`, and `conflict` past the bound. For those who manage the team, as the contract says. */
  setPinned(actor: Actor, granted: GrantedTeam, wanted: { number: number; pinned: boolean }): Promise<void>;
  /** Throws `not_found`. For those who manage the team, as the contract says. */
  setLocked(actor: Actor, granted: GrantedTeam, wanted: { number: number; locked: boolean }): Promise<void>;
}

export interface DiscussionServiceDeps {
  db: Database;
  addresses: Addresses;
  attachments: Pick<AttachmentUpkeep, "noteUsed">;
}

export function createDiscussionService(deps: DiscussionServiceDeps): DiscussionService {
  const { db, addresses, attachments } = deps;

  async function get(actor: Actor, granted: GrantedTeam, number: number): Promise<Discussion> {
    const viewer = await viewerOf(db, { actor, granted });
    return presentDiscussion(await found(db, seenBy(granted, viewer), number), { viewer, addresses });
  }

  async function requireWriter(actor: Actor, granted: GrantedTeam): Promise<void> {
    const { belongs } = await viewerOf(db, { actor, granted });
    if (!belongs)
      throw new AppError("forbidden", { message: "Only those who belong to the team write here." });
  }

  return {
    requireWriter,
    async list(actor, granted, page) {
      const viewer = await viewerOf(db, { actor, granted });
      const { rows, total } = await store.listDiscussions(db, seenBy(granted, viewer), page);
      return { items: rows.map((row) => presentDiscussion(row, { viewer, addresses })), total };
    },
    get,
    async create(actor, granted, wanted) {
      await requireWriter(actor, granted);
      const discussion = { ...wanted, id: newId("disc"), teamId: granted.team.id, authorId: userIdOf(actor) };
      const number = await db.transaction(async (tx) => {
        const taken = await store.insertDiscussion(tx, discussion);
        const counted = await tx.one(store.statements.countDiscussions, [granted.team.id]);
        if ((counted?.count ?? 0) > maxDiscussions)
          throw new AppError("conflict", {
            message: `A team can have at most ${maxDiscussions} discussions: delete old ones first.`,
          });
        const text = { body: wanted.body, isPrivate: wanted.private };
        await attachments.noteUsed(tx, granted.team.id, text);
        count(tx, "created");
        return taken;
      });
      return get(actor, granted, number);
    },
    async update(actor, granted, { number, ...wanted }) {
      await db.transaction(async (tx) => {
        const row = await lockFor(tx, { actor, granted }, { number, right: "edit" });
        const { title = row.title, body = row.body } = wanted;
        if (title === row.title && body === row.body) return;
        refuseUnread(wanted.previous_body, { now: row.body, wanted: wanted.body });
        await tx.query(store.statements.setTexts, [row.id, title, body]);
        await attachments.noteUsed(tx, granted.team.id, { body, isPrivate: row.private });
        count(tx, "edited");
      });
      return get(actor, granted, number);
    },
    remove: (actor, granted, number) =>
      db.transaction(async (tx) => {
        const row = await lockFor(tx, { actor, granted }, { number, right: "delete" });
        await tx.query(store.statements.deleteDiscussion, [row.id]);
        count(tx, "deleted");
        if (row.author_id !== actor.userId) await recordRemoval(tx, { actor, granted }, row);
      }),
    setPinned: (actor, granted, { number, pinned }) =>
      db.transaction(async (tx) => {
        const row = await lockFor(tx, { actor, granted }, { number, right: "moderate" });
        if ((row.pinned_at !== null) === pinned) return;
        await tx.query(store.statements.setPinned, [row.id, pinned]);
        const counted = await tx.one(store.statements.countDiscussions, [granted.team.id]);
        if (pinned && (counted?.pinned ?? 0) > maxPinnedDiscussions)
          throw new AppError("conflict", {
            message: `At most ${maxPinnedDiscussions} discussions can be pinned: unpin one first.`,
          });
      }),
    setLocked: (actor, granted, { number, locked }) =>
      db.transaction(async (tx) => {
        const row = await lockFor(tx, { actor, granted }, { number, right: "moderate" });
        if (row.locked !== locked) await tx.query(store.statements.setLocked, [row.id, locked]);
      }),
  };
}

const refusals = {
  edit: "Only the author changes a discussion.",
  delete: "Only the author, and those who manage the team, delete a discussion.",
  moderate: "Only those who manage the team pin and lock discussions.",
};

async function lockFor(
  tx: Transaction,
  { actor, granted }: Caller,
  { number, right }: { number: number; right: keyof typeof refusals },
): Promise<store.DiscussionRow> {
  const viewer = await viewerOf(tx, { actor, granted });
  const row = await lock(tx, seenBy(granted, viewer), number);
  if (!discussionRights(viewer, row)[right]) throw new AppError("forbidden", { message: refusals[right] });
  return row;
}

function count(tx: Transaction, action: "created" | "edited" | "deleted"): void {
  tx.count("forgeline_collaboration_changes_total", { kind: "discussion", action });
}

/** Deleting what others wrote leaves a trace. */
async function recordRemoval(
  tx: Transaction,
  { actor, granted }: Caller,
  row: store.DiscussionRow,
): Promise<void> {
  await recordAudit(tx, actor, {
    action: "discussion.delete",
    target: { type: "discussion", id: row.id, name: `${row.team}#${row.number}` },
    details: { title: row.title, author: row.author?.username ?? null, team_id: granted.team.id },
    organizationId: granted.organization.id,
  });
}
