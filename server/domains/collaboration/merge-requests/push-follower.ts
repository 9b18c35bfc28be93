/**
 * What a push means for merge requests, in the transaction that records it: one whose commit arrived in the target branch is merged,
 * one whose source branch moved has new commits, and one that lost a branch is closed. Those that have ended only note what becomes of their branch. Comparing comes later (`comparison.ts`), and so does what was pushed elsewhere (`foreign-source.ts`).
 */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { PushFollower, RecordedPush } from "../../hosting/domain.ts";
import { adviseOnBranches, type PushAdviceDeps } from "./push-advice.ts";
import { placeActor, type MergeRequestChanges } from "./changes.ts";
import { foreignSourcesMoved } from "./foreign.store.ts";
import * as store from "./pushed.store.ts";

const heads = "refs/heads/";

export function createMergeRequestPushFollower(
  changes: MergeRequestChanges,
  deps: PushAdviceDeps,
): PushFollower {
  return {
    advise: (push, pusher) => adviseOnBranches(deps, push, pusher),
    prepare: (push, pusher) =>
      Promise.resolve(async (tx) => {
        const updates = branchUpdates(push.updates);
        if (updates.size === 0) return [];
        await store.lockConcerned(tx, concernedBy(push, updates));
        // Merged ones are not open any more when the rest is looked for.
        await mergeArrived(tx, { push, pusher, updates, changes });
        // Of those that are closed next, their end says it.
        await noteEnded(tx, { push, pusher, updates, changes });
        await followSources(tx, { push, pusher, updates, changes });
        await followTargets(tx, { push, updates, changes });
        const { repositoryId, userId: pusherId } = push;
        await foreignSourcesMoved(tx, { repositoryId, branches: [...updates.keys()], pusherId });
        return [];
      }),
  };
}

interface Followed {
  push: RecordedPush;
  /** By the name of the branch. */
  updates: ReadonlyMap<string, RefUpdate>;
  changes: MergeRequestChanges;
}

function branchUpdates(updates: readonly RefUpdate[]): Map<string, RefUpdate> {
  const ofBranches = updates.filter(({ ref }) => ref.startsWith(heads));
  return new Map(ofBranches.map((update) => [update.ref.slice(heads.length), update]));
}

function concernedBy({ repositoryId }: RecordedPush, updates: Followed["updates"]): store.Concerned {
  const branches = [...updates.keys()];
  const deleted = [...updates].filter(([, { after }]) => after === zeroId).map(([name]) => name);
  return { repositoryId, branches, arrived: arrivedIn(updates), deleted, ended: endsIn(updates) };
}

const arrivedIn = (updates: Followed["updates"]) =>
  [...updates.values()].map(({ after }) => after).filter((after) => after !== zeroId);

const headOf = ({ before, after }: RefUpdate) => (after === zeroId ? before : after);

/** Branches that come or go. */
function endsIn(updates: Followed["updates"]): store.Concerned["ended"] {
  const changed = [...updates].filter(([, { before, after }]) => [before, after].includes(zeroId));
  return { branches: changed.map(([name]) => name), heads: changed.map(([, update]) => headOf(update)) };
}

async function mergeArrived(
  tx: Transaction,
  { push, pusher, updates, changes }: Followed & { pusher: Actor },
): Promise<void> {
  const { repositoryId } = push;
  const arrived = arrivedIn(updates);
  for (const found of await store.findMerging(tx, repositoryId, arrived)) {
    const { number, target_branch: target, merging_sha: sha, merging_tip: tip } = found;
    if (sha === null || updates.get(target)?.after !== (tip ?? sha)) continue;
    const item = await changes.lock(tx, repositoryId, number);
    // Those that land together were queued by different people.
    const byQueue = tip !== null;
    const actor = byQueue ? placeActor(found.merging_by) : actorOf(push, pusher);
    await changes.merge(tx, { item, actor, byQueue }, sha);
  }
}

/** With the limits of the credential, where that is at hand. */
function actorOf(push: RecordedPush, pusher: Actor) {
  return pusher.userId === push.userId ? pusher : placeActor(push.userId);
}

async function followSources(
  tx: Transaction,
  { push, pusher, updates, changes }: Followed & { pusher: Actor },
): Promise<void> {
  const found = await store.findOfSources(tx, push.repositoryId, [...updates.keys()]);
  for (const { number, source_branch: source, repository_id: repositoryId } of found) {
    const update = updates.get(source);
    if (!update) continue;
    const { before: from, after: to } = update;
    const actor = actorOf(push, pusher);
    const item = await changes.lock(tx, repositoryId, number);
    if (to === zeroId) await changes.close(tx, { item, actor }, "source_branch_deleted");
    if (to === zeroId || item.state !== "open") continue;
    const byJob = push.jobId !== null;
    // Whoever a job runs for has not seen what it pushes.
    const bringer = byJob ? placeActor(null) : actor;
    await changes.synchronize(tx, { item, actor: bringer }, { from, to, byJob });
  }
}

/** A branch that goes, or comes back, where merge requests had ended with it. */
async function noteEnded(
  tx: Transaction,
  { push, pusher, updates, changes }: Followed & { pusher: Actor },
): Promise<void> {
  const ends = endsIn(updates);
  if (ends.branches.length === 0) return;
  for (const ended of await store.findEnded(tx, push.repositoryId, ends)) {
    const update = updates.get(ended.source_branch);
    if (!update || headOf(update) !== ended.head_sha) continue;
    const item = await changes.lock(tx, ended.repository_id, ended.number);
    const kind = update.after === zeroId ? "branch_deleted" : "branch_restored";
    await changes.note(tx, { item, actor: actorOf(push, pusher) }, kind);
  }
}

async function followTargets(tx: Transaction, { push, updates, changes }: Followed): Promise<void> {
  const { repositoryId, userId: pusherId } = push;
  const named = (isDeleted: boolean) =>
    [...updates].filter(([, { after }]) => (after === zeroId) === isDeleted).map(([name]) => name);
  for (const { number, target_branch: target } of await store.findOfTargets(tx, repositoryId, named(true))) {
    const item = await changes.lock(tx, repositoryId, number);
    await changes.loseTarget(tx, { item, actor: placeActor(pusherId) }, target);
  }
  await store.targetsMoved(tx, { repositoryId, branches: named(false), pusherId });
}
