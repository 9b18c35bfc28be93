/** Transfers repositories to another owner: at once if the actor controls both sides, otherwise when the receiver accepts. */
import type { TransferQuery } from "@forgeline/schemas/repository-transfers/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { GrantedRepository, RepositoryRef } from "../../policy/domain.ts";
import type { GainHandler } from "../followers.ts";
import { isTaken, lockRepository } from "../repositories/settings.store.ts";
import { findById, type RepositoryRow } from "../repositories/repositories.store.ts";
import type { RepositoryView, RepositoryViews } from "../repositories/views.ts";
import { listTransfers } from "./transfer-list.store.ts";
import { changeOwner, type ChangeOfOwner } from "../repositories/change-owner.ts";
import { recordRepositoryEvents } from "../repositories/repository-events.ts";
import * as store from "./repository-transfers.store.ts";
import type { Receiver, TransferRow } from "./repository-transfers.store.ts";

export interface Transfer {
  view: RepositoryView;
  /** null if the transfer is already done. */
  offer: TransferRow | null;
}

export interface RepositoryTransfers {
  /** Throws `validation_failed` for an unknown receiver, `conflict` if it already uses the name, `quota_exceeded`. */
  request(actor: Actor, granted: GrantedRepository, newOwner: string): Promise<Transfer>;
  /** For admins and those who can accept. Throws `not_found`. */
  get(actor: Actor, granted: GrantedRepository): Promise<Transfer>;
  /** Open ones that the caller can accept or administers. Throws `unauthorized` for anonymous callers. */
  listOwn(actor: Actor, query: TransferQuery): Promise<{ transfers: Transfer[]; total: number }>;
  /** For those who can accept. Throws `not_found`, `forbidden`, `conflict`, `quota_exceeded`. */
  accept(actor: Actor, repository: RepositoryRef): Promise<RepositoryView>;
  /** For admins and those who can accept. Throws `not_found`. */
  cancel(actor: Actor, granted: GrantedRepository): Promise<void>;
}

export interface RepositoryTransferDeps {
  db: Database;
  /** Throws `quota_exceeded` if the receiver has no room for the repository's LFS objects. */
  requireRoom(tx: Transaction, repositoryId: string, receiverId: string): Promise<void>;
  endTeamGrants: ChangeOfOwner["endTeamGrants"];
  views: RepositoryViews;
  whenTransferred(tx: Transaction, repositoryId: string): Promise<void>;
  whenGained: GainHandler;
}

export function createRepositoryTransfers(deps: RepositoryTransferDeps): RepositoryTransfers {
  const { db, requireRoom, endTeamGrants, views } = deps;

  async function give(
    tx: Transaction,
    { actor, row, receiver }: { actor: Actor; row: RepositoryRow; receiver: Receiver },
  ): Promise<RepositoryRow> {
    await requireRoom(tx, row.id, receiver.id);
    const after = await change(tx, { actor, row, receiver, endTeamGrants });
    await deps.whenTransferred(tx, row.id);
    if (receiver.kind === "user") await deps.whenGained(tx, { repositoryId: row.id, userId: receiver.id });
    return after;
  }

  /** Other people who can see the repository do not learn of the offer. */
  async function findOffer(
    tx: Database | Transaction,
    actor: Actor,
    { repository, level }: GrantedRepository,
  ) {
    const offer = await store.findTransfer(tx, repository.id, actor.userId);
    if (!offer || !(offer.is_receiver || level === "admin")) throw new AppError("not_found");
    return offer;
  }

  return {
    async request(actor, { repository, level }, newOwner) {
      const { row, offer } = await db.transaction(async (tx) => {
        const row = await lockRepository(tx, repository.id);
        if (!row) throw new AppError("not_found");
        const receiver = await store.findReceiver(tx, newOwner);
        if (!receiver || receiver.id === row.owner_id) throw noReceiver(receiver !== undefined);
        await requireFreeName(tx, receiver, row.name);
        if (await store.actsFor(tx, receiver.id, actor.userId))
          return { row: await give(tx, { actor, row, receiver }), offer: null };
        const offer = { repositoryId: row.id, receiverId: receiver.id, requestedBy: actor.userId };
        await store.putTransfer(tx, offer);
        await recordAudit(tx, actor, {
          action: "repo.transfer_request",
          target: targetOf(row),
          details: { new_owner: receiver.name },
        });
        const made = await store.findTransfer(tx, row.id, actor.userId);
        return { row, offer: made ?? null };
      });
      return { view: await views.one(actor, row, level), offer };
    },
    async get(actor, granted) {
      const offer = await findOffer(db, actor, granted);
      const row = await findById(db, granted.repository.id);
      if (!row) throw new AppError("not_found");
      return { view: await views.one(actor, row, granted.level), offer };
    },
    async listOwn(actor, query) {
      if (actor.userId === null) throw new AppError("unauthorized");
      const viewer = { userId: actor.userId, isAdmin: actor.isAdmin };
      const { transfers: listed, total } = await listTransfers(db, viewer, query);
      const shown = await views.all(
        actor,
        listed.map(({ row }) => row),
      );
      return { transfers: shown.map((view, at) => ({ view, offer: listed[at]!.offer })), total };
    },
    async accept(actor, repository) {
      const row = await db.transaction(async (tx) => {
        const row = await lockRepository(tx, repository.id);
        const offer = row && (await store.findTransfer(tx, row.id, actor.userId));
        if (!row || !offer?.is_receiver) throw new AppError("not_found");
        const receiver: Receiver = {
          id: offer.receiver_id,
          name: offer.receiver,
          kind: offer.receiver_kind,
        };
        await requireFreeName(tx, receiver, row.name);
        return give(tx, { actor, row, receiver });
      });
      return views.one(actor, row, "admin");
    },
    async cancel(actor, granted) {
      await db.transaction(async (tx) => {
        const row = await lockRepository(tx, granted.repository.id);
        if (!row) throw new AppError("not_found");
        const offer = await findOffer(tx, actor, granted);
        await store.deleteTransfer(tx, row.id);
        await recordAudit(tx, actor, {
          action: "repo.transfer_cancel",
          target: targetOf(row),
          details: { new_owner: offer.receiver },
        });
        await tx.notify("token", "");
      });
    },
  };
}

/** The entry appears in the audit logs of both owners. */
async function change(
  tx: Transaction,
  { actor, ...wanted }: ChangeOfOwner & { actor: Actor },
): Promise<RepositoryRow> {
  const { row, receiver } = wanted;
  const entry = {
    action: "repo.transfer",
    target: targetOf(row),
    details: { old_owner: row.owner, new_owner: receiver.name },
  } as const;
  await recordAudit(tx, actor, entry);
  await store.deleteTransfer(tx, row.id);
  const place = { repositoryId: row.id, senderId: actor.userId };
  const subject = { changes: { owner: { from: row.owner } } };
  // Followers of the repository and of the owner before are told of it as it was, those of the new owner as it is.
  await recordRepositoryEvents(tx, place, [{ kind: "repository", action: "transferred", subject }]);
  await changeOwner(tx, wanted);
  await recordRepositoryEvents(tx, place, [
    { kind: "repository", action: "transferred", subject, forOwner: true },
  ]);
  if (receiver.kind === "org") await recordAudit(tx, actor, { ...entry, organizationId: receiver.id });
  const after = await findById(tx, row.id);
  if (!after) throw new AppError("not_found");
  if (after.visibility !== row.visibility)
    await recordAudit(tx, actor, {
      action: "repo.visibility_change",
      target: targetOf(after),
      details: { old_visibility: row.visibility, new_visibility: after.visibility },
    });
  await tx.notify("token", "");
  return after;
}

async function requireFreeName(tx: Transaction, receiver: Receiver, name: string): Promise<void> {
  if (await isTaken(tx, receiver.id, name))
    throw new AppError("conflict", { message: `${receiver.name} already has a repository with this name.` });
}

function noReceiver(isOwner: boolean): AppError {
  const message = isOwner ? "It already belongs to this owner." : "No user or organization has this name.";
  return invalidField("new_owner", isOwner ? "not_allowed" : "unknown", message);
}

function targetOf(row: RepositoryRow) {
  return { type: "repository", id: row.id, name: `${row.owner}/${row.name}` };
}
