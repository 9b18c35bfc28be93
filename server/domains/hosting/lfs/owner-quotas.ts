/** Quotas of Git LFS storage of single owners: owners see them, administrators of the instance set them. */
import type { LfsQuota } from "@forgeline/schemas/lfs/resource.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { LfsLimits } from "../../../config/lfs.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { customBytes, quotaOf } from "./quota.ts";
import * as store from "./lfs.store.ts";
import type { OwnerRow } from "./lfs.store.ts";

export interface OwnerQuotas {
  /** Throws `not_found`. */
  get(name: string): Promise<LfsQuota>;
  /** Throws `not_found`. */
  of(ownerId: string): Promise<LfsQuota>;
  /** null: what the plan gives. Throws `not_found`, and `conflict` for a limit where the plan is not `enterprise`. */
  set(actor: Actor, name: string, limitBytes: number | null): Promise<LfsQuota>;
}

export function createOwnerQuotas(deps: { db: Database; quotaBytes: LfsLimits["quotaBytes"] }): OwnerQuotas {
  const { db } = deps;

  async function show(tx: Queryable, owner: OwnerRow): Promise<LfsQuota> {
    return {
      owner: owner.name,
      owner_type: typeOf(owner),
      plan: owner.plan,
      limit_bytes: quotaOf(owner, deps.quotaBytes) ?? null,
      custom: customBytes(owner) !== undefined,
      used_bytes: await store.sumUse(tx, owner.id),
    };
  }

  function existing(owner: OwnerRow | undefined): OwnerRow {
    if (!owner) throw new AppError("not_found");
    return owner;
  }

  return {
    get: async (name) => show(db, existing(await store.findOwner(db, name))),
    of: async (ownerId) => show(db, existing(await store.readOwner(db, ownerId))),
    async set(actor, name, limitBytes) {
      const { id } = existing(await store.findOwner(db, name));
      return db.transaction(async (tx) => {
        const owner = existing(await store.lockUse(tx, id));
        if (limitBytes !== null && owner.plan !== "enterprise")
          throw new AppError("conflict", {
            message: "Only accounts on the enterprise plan can have their own limit.",
          });
        await store.putCustom(tx, id, limitBytes);
        await recordAudit(tx, actor, {
          action: "admin.lfs_quota_change",
          target: { type: typeOf(owner), id, name: owner.name },
          details: { old_limit_bytes: owner.custom_bytes, limit_bytes: limitBytes },
        });
        return show(tx, { ...owner, custom_bytes: limitBytes });
      });
    },
  };
}

function typeOf({ kind }: OwnerRow): LfsQuota["owner_type"] {
  return kind === "org" ? "organization" : "user";
}
