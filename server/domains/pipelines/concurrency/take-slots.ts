/**
 * Slots are taken and released here and nowhere else, in the transactions that start and settle jobs. Whoever calls holds the
 * lock of the run; then the groups are locked, all that a transaction needs at once. The row of another run is never locked:
 * its workflow is told through the outbox.
 */
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { addRunIntent } from "../runs/run-intents.ts";
import { guardedJobs } from "../environments/guarded-jobs.ts";
import { findCircle } from "./circles.store.ts";
import { gatedJobs, hasGates, type GateName } from "./gated-jobs.ts";
import {
  askForSlot,
  countIn,
  endOfNodes,
  expectSlots,
  findOwner,
  grantNext,
  groupsOfNodes,
  lockGroups,
  readOfRun,
  readSuperseded,
  supersede,
  type ChangedSlot,
  type Group,
  type RunSlot,
} from "./slots.store.ts";
import { expectedSlots, needsSlots, type SlotNodes, type WantedSlot } from "./wanted-slots.ts";

interface SlotRun {
  repositoryId: string;
  pipelineId: string;
}

type Owner = NonNullable<Awaited<ReturnType<typeof findOwner>>>;

/**
 * Keeps the places of a run in the groups that go by the order of runs. Later runs do not wait for those of jobs before gates that
 * nobody has opened. May be called again: what is there stays, and counts once its gates are open.
 */
export async function expectSlotsOf(
  tx: Transaction,
  repositoryId: string,
  nodes: SlotNodes & { approved: readonly GateName[] },
): Promise<boolean> {
  const { plan } = nodes.plan;
  if (!needsSlots(plan)) return false;
  const { approved } = nodes;
  const guarded = await guardedJobs(tx, repositoryId, nodes);
  const wanted = expectedSlots(nodes, gatedJobs(plan, { approved, guarded }));
  const owner = wanted.length > 0 ? await findOwner(tx, repositoryId) : undefined;
  if (!owner) return false;
  const slots = wanted.flatMap((slot) => {
    const ownerId = ownerOf(owner, slot.scope);
    return ownerId === null ? [] : [{ ...slot, ownerId, id: newId("slot") }];
  });
  const run = { repositoryId, pipelineId: nodes.pipelineId };
  const mayCount = hasGates(plan) && nodes.approved.length > 0;
  if (mayCount) await lockAll(tx, run, []);
  await expectSlots(tx, run, slots);
  if (mayCount) {
    const open = slots.filter(({ gated }) => !gated);
    await countIn(
      tx,
      nodes.pipelineId,
      open.map(({ nodeId }) => nodeId),
    );
  }
  return slots.length > 0;
}

/** null where the organization does not allow it, or there is none. */
function ownerOf(owner: Owner, scope: WantedSlot["scope"]): string | null {
  if (scope === "repo") return owner.repositoryId;
  return owner.allowed ? owner.organizationId : null;
}

export type SlotAnswer =
  | { kind: "held" }
  | { kind: "waiting"; group: string }
  | { kind: "superseded"; reason: string }
  /** It would wait for itself. */
  | { kind: "circle"; groups: string[] }
  | { kind: "refused"; message: string };

export interface SlotTaker {
  /** Asks for all of these in their order, as far as they are given. May be asked again, with the same answer. */
  take(wanted: readonly WantedSlot[]): Promise<SlotAnswer>;
}

/**
 * The groups of all slots that the run has, and of those that it wants, before any row in them: who takes a group, then a slot of another
 * one, and who does it the other way round would wait for each other. What a transfer has moved while this waited is locked where it
 * is now.
 */
async function lockAll(
  tx: Transaction,
  run: SlotRun,
  wanted: readonly WantedSlot[],
): Promise<{ owner: Owner | undefined; slots: RunSlot[] }> {
  const locked = new Set<string>();
  for (;;) {
    const owner = await findOwner(tx, run.repositoryId);
    const slots = await readOfRun(tx, run.pipelineId);
    const asked = wanted.flatMap(({ group, scope }) => {
      const ownerId = owner ? ownerOf(owner, scope) : null;
      return ownerId === null ? [] : [{ ownerId, group }];
    });
    const isNew = ({ ownerId, group }: Group) => !locked.has(`${ownerId} ${group}`);
    const groups = [...slots, ...asked].filter(isNew);
    if (groups.length === 0) return { owner, slots };
    await lockGroups(tx, groups);
    for (const { ownerId, group } of groups) locked.add(`${ownerId} ${group}`);
  }
}

/** For the jobs that one transaction starts. `all` are the slots that any of them may ask for. */
export async function createSlotTaker(
  tx: Transaction,
  run: SlotRun & { hasSlots?: boolean },
  all: readonly WantedSlot[],
): Promise<SlotTaker> {
  const found = all.length > 0 || run.hasSlots ? await lockAll(tx, run, all) : null;
  const owner = found?.owner;
  const known = new Map((found?.slots ?? []).map((slot) => [slot.nodeId, slot]));
  const read = async () => {
    for (const slot of await readOfRun(tx, run.pipelineId)) known.set(slot.nodeId, slot);
  };
  const takeOne = async (slot: WantedSlot): Promise<SlotAnswer> => {
    const before = known.get(slot.nodeId);
    if (before && before.state !== "expected") return answerOf(before);
    const ownerId = owner ? ownerOf(owner, slot.scope) : null;
    if (!before && ownerId === null) return { kind: "refused", message: refusalOf(owner) };
    if (!before && ownerId !== null)
      await expectSlots(tx, run, [{ ...slot, ownerId, id: newId("slot"), gated: false }]);
    const id = await askForSlot(tx, run.pipelineId, slot.nodeId);
    await settle(tx, { ownerId: before?.ownerId ?? ownerId ?? "", group: before?.group ?? slot.group }, id);
    await read();
    const after = known.get(slot.nodeId);
    const circle = after?.state === "waiting" ? await findCircle(tx, run.pipelineId, slot.nodeId) : null;
    if (circle) {
      await releaseSlots(tx, run.pipelineId, [slot.nodeId]);
      return { kind: "circle", groups: circle };
    }
    return after ? answerOf(after) : { kind: "waiting", group: slot.group };
  };
  return {
    async take(wanted) {
      for (const slot of wanted) {
        const answer = await takeOne(slot);
        if (answer.kind !== "held") return answer;
      }
      return { kind: "held" };
    },
  };
}

function answerOf({ state, group, reason }: RunSlot): SlotAnswer {
  if (reason !== null) return { kind: "superseded", reason };
  return state === "held" ? { kind: "held" } : { kind: "waiting", group };
}

function refusalOf(owner: Owner | undefined): string {
  if (!owner?.organizationId)
    return "`scope: org` of a concurrency group is only possible in repositories of an organization.";
  return "The organization does not allow concurrency groups with `scope: org`. Its owners can, in its settings.";
}

/** Releases what the run holds, waits for or expects for these nodes, which are over; the next ones get their turn. */
export async function releaseSlots(
  tx: Transaction,
  pipelineId: string,
  nodeIds: readonly string[],
): Promise<void> {
  const groups = nodeIds.length > 0 ? await groupsOfNodes(tx, pipelineId, nodeIds) : [];
  if (groups.length === 0) return;
  await lockGroups(tx, groups);
  await endOfNodes(tx, pipelineId, nodeIds);
  for (const group of groups) await settle(tx, group);
}

/** Gives out what is free and says how many slots that were, after what has to give way to the slot that asks. The caller holds the lock of the group. */
export async function settle(tx: Transaction, group: Group, askingId?: string): Promise<number> {
  const changes = askingId === undefined ? [] : await supersede(tx, group, askingId);
  if (changes.length > 0) tx.count("forgeline_concurrency_slots_superseded_total", {}, changes.length);
  for (const change of changes) if (change.id !== askingId) await tell(tx, change);
  for (let count = 0; ; count += 1) {
    const granted = await grantNext(tx, group);
    if (!granted) return count;
    tx.count("forgeline_concurrency_wait_seconds", { scope: granted.scope }, granted.waitedSeconds ?? 0);
    if (granted.id !== askingId) await tell(tx, granted);
  }
}

/** The workflow of what may go on, or has to give way. What does not wait is not harmed by it. */
export async function tell(
  tx: Transaction,
  { pipelineId, repositoryId, sequence, ...slot }: ChangedSlot,
): Promise<void> {
  const { node, nodeId, reason } = slot;
  await addRunIntent(tx, repositoryId, {
    kind: "slot_changed",
    pipelineId,
    sequence,
    change: { node, nodeId, superseded: reason },
  });
  await tx.notify("run", pipelineId);
}

/** Tells the workflow again what has to give way; a previous workflow of the run may have missed it. */
export async function tellSuperseded(tx: Transaction, run: SlotRun & { sequence: number }): Promise<void> {
  const { repositoryId, pipelineId, sequence } = run;
  for (const change of await readSuperseded(tx, pipelineId))
    await addRunIntent(tx, repositoryId, { kind: "slot_changed", pipelineId, sequence, change });
}
