/** A person releases a slot: the next in the queue gets its turn, while what held the slot goes on without it. */
import type { Transaction } from "../../../platform/db/database.ts";
import { systemActor, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import { endOne, type FoundSlot } from "./release-slot.store.ts";
import { lockGroups } from "./slots.store.ts";
import { settle } from "./take-slots.ts";

/** Throws `not_found` if there is none, and `conflict` if it waits. */
export async function releaseSlot(
  tx: Transaction,
  slot: FoundSlot | undefined,
  record: (slot: FoundSlot) => Promise<void>,
): Promise<void> {
  if (!slot) throw new AppError("not_found");
  await lockGroups(tx, [slot]);
  if (!(await endOne(tx, slot)))
    throw new AppError("conflict", {
      message:
        "Only a slot that a run holds, or that is kept for one which may still ask, can be released. This one is waited for: cancel its run instead.",
    });
  await settle(tx, slot);
  await tx.notify("run", slot.pipelineId);
  await record(slot);
}

/** For those who may see the run. */
export function recordAtRun(
  tx: Transaction,
  actor: Actor,
  { slot, more = {} }: { slot: FoundSlot; more?: object },
): Promise<void> {
  const { group, scope, state, pipelineId: id, repository, number } = slot;
  return recordAudit(tx, actor, {
    action: "pipeline.release_slot",
    target: { type: "pipeline", id, name: `${repository}#${number}` },
    details: { group, scope, state, ...more },
  });
}

/**
 * For both sides, where the repository of the run has left the organization: its former owners do not learn whose run it was, and its
 * new ones not from where somebody else's owner called.
 */
export async function recordAtFormerOwner(
  tx: Transaction,
  actor: Actor,
  { slot, organization }: { slot: FoundSlot; organization: OrganizationRef },
): Promise<void> {
  const { id: slotId, group, scope, state } = slot;
  await recordAudit(tx, actor, {
    action: "pipeline.release_slot",
    target: { type: "organization", ...organization },
    details: { slot: slotId, group, scope, state },
  });
  await recordAtRun(tx, systemActor, { slot, more: { by_owner_of: organization.name } });
}
