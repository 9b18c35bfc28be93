/** Gives a fork the objects of its upstream as its own: the bytes first, the rows together with the repository. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { ObjectNotFound, type ObjectStore } from "../../../platform/objects/object-store.ts";
import { objectKey } from "./object-key.ts";
import type { LfsQuota } from "./quota.ts";
import { findStored, putStored, type WantedObject } from "./lfs.store.ts";

/** To be called in the transaction that makes the fork, once its row is there. Throws `quota_exceeded`. */
export type LinkCopies = (tx: Transaction, ownerId: string) => Promise<void>;

export interface LfsCopyDeps {
  db: Database;
  objects: ObjectStore;
  quota: Pick<LfsQuota, "requireRoom">;
}

/** Objects that the store has lost are left out. If the fork fails, the content must be removed. */
export async function copyLfsObjects(deps: LfsCopyDeps, from: string, to: string): Promise<LinkCopies> {
  const copied: WantedObject[] = [];
  for (const object of await findStored(deps.db, from))
    if (await copyBytes(deps.objects, { from, to, oid: object.oid })) copied.push(object);
  return async (tx, ownerId) => {
    if (copied.length === 0) return;
    await deps.quota.requireRoom(tx, from, ownerId);
    await putStored(tx, to, copied);
  };
}

async function copyBytes(
  objects: ObjectStore,
  { from, to, oid }: { from: string; to: string; oid: string },
): Promise<boolean> {
  try {
    await objects.put(objectKey(to, oid), await objects.get(objectKey(from, oid)));
    return true;
  } catch (error) {
    if (error instanceof ObjectNotFound) return false;
    throw error;
  }
}
