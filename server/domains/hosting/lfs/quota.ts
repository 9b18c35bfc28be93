/** Git LFS quotas: by the plan of the repository's owner, each distinct object once, reserved before it is uploaded. */
import type { Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { LfsLimits } from "../../../config/lfs.ts";
import * as store from "./lfs.store.ts";
import type { OwnerRow, WantedObject } from "./lfs.store.ts";

export interface Reserver {
  repositoryId: string;
  userId: string | null;
}

export interface LfsQuota {
  /**
   * Reserves room for the objects that fit, in order, and returns the others with an error: `quota_exceeded`, or
   * `rate_limit_exceeded` if the owner has announced too many that were not uploaded. Room that is reserved already is kept for
   * another hour. Throws `not_found` when the repository is gone.
   */
  reserve(tx: Transaction, who: Reserver, wanted: readonly WantedObject[]): Promise<Map<string, AppError>>;
  /** Throws `quota_exceeded` if the new owner has no room for the repository's objects. */
  requireRoom(tx: Transaction, repositoryId: string, receiverId: string): Promise<void>;
}

type QuotaLimits = Pick<LfsLimits, "quotaBytes" | "openObjects">;

export function createLfsQuota({ quotaBytes, openObjects }: QuotaLimits): LfsQuota {
  return {
    async reserve(tx, { repositoryId, userId }, wanted) {
      const owner = await store.lockOwner(tx, repositoryId);
      if (!owner) throw new AppError("not_found");
      const refused = new Map<string, AppError>();
      const quota = quotaOf(owner, quotaBytes) ?? Number.POSITIVE_INFINITY;
      const added = await addedBy(tx, owner, { wanted, quota });
      const newOids = await findNewOids(tx, repositoryId, wanted);
      let open = newOids.size > 0 ? await store.countOpen(tx, owner.id) : 0;
      // Most calls are about objects that already have room; the sum takes a while for an owner with very many objects.
      let used = added.some((more) => more > 0) ? await store.sumUse(tx, owner.id) : 0;
      const admitted = wanted.filter((object, i) => {
        const more = added[i] ?? 0;
        const isFresh = newOids.has(object.oid);
        if (isFresh && open >= openObjects) refused.set(object.oid, tooManyOpen(owner, openObjects));
        else if (more > 0 && used + more > quota) refused.set(object.oid, exceeded(owner, quota, used));
        if (refused.has(object.oid)) return false;
        used += more;
        open += isFresh ? 1 : 0;
        return true;
      });
      if (admitted.length > 0) await store.putReserved(tx, repositoryId, { wanted: admitted, userId });
      return refused;
    },
    async requireRoom(tx, repositoryId, receiverId) {
      const receiver = await store.lockUse(tx, receiverId);
      const quota = receiver && quotaOf(receiver, quotaBytes);
      if (!receiver || quota === undefined) return;
      const more = await store.sumNew(tx, repositoryId, receiverId);
      const used = await store.sumUse(tx, receiverId);
      if (more > 0 && used + more > quota) throw exceeded(receiver, quota, used);
    },
  };
}

/** Undefined: no limit. */
export function quotaOf(owner: OwnerRow, quotaBytes: LfsLimits["quotaBytes"]): number | undefined {
  return customBytes(owner) ?? quotaBytes[owner.plan];
}

/** The limit set for this owner, if the plan allows one. */
export function customBytes({ plan, custom_bytes: bytes }: OwnerRow): number | undefined {
  return plan === "enterprise" ? (bytes ?? undefined) : undefined;
}

/** The ids of objects that the repository neither has nor has reserved room for. */
async function findNewOids(
  tx: Transaction,
  repositoryId: string,
  wanted: readonly WantedObject[],
): Promise<Set<string>> {
  const oids = wanted.map(({ oid }) => oid);
  const known = new Set((await store.findObjects(tx, repositoryId, oids)).map(({ oid }) => oid));
  return new Set(oids.filter((oid) => !known.has(oid)));
}

/** For each object, the bytes that it would add to the owner's use; empty if there is no limit. */
async function addedBy(
  tx: Transaction,
  owner: OwnerRow,
  { wanted, quota }: { wanted: readonly WantedObject[]; quota: number },
): Promise<number[]> {
  if (quota === Number.POSITIVE_INFINITY) return wanted.map(() => 0);
  const oids = wanted.map(({ oid }) => oid);
  const rows = await store.findCounted(tx, owner.id, oids);
  const counted = new Map(rows.map((row) => [row.oid, row.size_bytes]));
  return wanted.map(({ oid, sizeBytes }) =>
    Math.max(0, Math.max(sizeBytes, store.minCountedBytes) - (counted.get(oid) ?? 0)),
  );
}

function exceeded(owner: OwnerRow, quota: number, used: number): AppError {
  return new AppError("quota_exceeded", {
    message: `The Git LFS storage of ${owner.name} does not have enough space for this: ${inGigabytes(used)} of ${inGigabytes(quota)} GB are used (quota_exceeded).`,
  });
}

function tooManyOpen(owner: OwnerRow, max: number): AppError {
  return new AppError("rate_limit_exceeded", {
    message: `${max} Git LFS objects of ${owner.name} have been announced but not uploaded, which is the limit. Upload them, or try again later.`,
  });
}

function inGigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(bytes < 1e8 ? 6 : 2);
}
