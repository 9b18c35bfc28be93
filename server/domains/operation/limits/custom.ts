/** Limits of single accounts that differ from the instance's, set by its administrators. */
import { CustomLimits, type AccountLimit } from "@forgeline/schemas/limits/resource.ts";
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RateLimitTable } from "../../../config/rate-limits.ts";
import { recordAudit } from "../audit/record.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { findAccount, readCustom, replaceCustom, type Account } from "./custom.store.ts";

export interface AccountName {
  name: string;
  kind: "user" | "org";
}

export interface CustomLimitService {
  /** Throws `not_found`. */
  get(account: AccountName): Promise<AccountLimit[]>;
  /**
   * Replaces all custom limits of the account. Throws `not_found`, and `conflict` for limits of an organization whose
   * plan is not `enterprise`.
   */
  set(actor: Actor, account: AccountName, wanted: CustomLimits): Promise<AccountLimit[]>;
}

const customCategories = Object.keys(CustomLimits.shape) as (keyof CustomLimits & RateCategory)[];

export function createCustomLimits(deps: { db: Database; limits: RateLimitTable }): CustomLimitService {
  const { db } = deps;

  async function show(account: Account): Promise<AccountLimit[]> {
    const rows = account.entitled ? await readCustom(db, account.id) : [];
    const custom = new Map(rows.map((row) => [row.category, row.requests]));
    return customCategories.map((category) => {
      const { requests, windowSeconds } = deps.limits[category].user;
      return {
        resource: category,
        limit: requests === 0 ? 0 : (custom.get(category) ?? requests),
        window_seconds: windowSeconds,
        custom: custom.has(category),
      };
    });
  }

  async function find(tx: Queryable, account: AccountName): Promise<Account> {
    const found = await findAccount(tx, account);
    if (!found) throw new AppError("not_found");
    return found;
  }

  return {
    get: async (account) => show(await find(db, account)),
    async set(actor, name, wanted) {
      const rows = customCategories.flatMap((category) => {
        const requests = wanted[category];
        return requests === undefined ? [] : [{ category, requests }];
      });
      const account = await db.transaction(async (tx) => {
        const found = await find(tx, name);
        if (rows.length > 0 && !found.entitled)
          throw new AppError("conflict", {
            message: "Only accounts on the enterprise plan can have custom limits.",
          });
        const before = await readCustom(tx, found.id);
        await replaceCustom(tx, found.id, rows);
        await recordAudit(tx, actor, {
          action: "admin.limits_change",
          target: { type: name.kind === "org" ? "organization" : "user", id: found.id, name: found.name },
          details: {
            old_limits: Object.fromEntries(before.map((row) => [row.category, row.requests])),
            limits: wanted,
          },
        });
        return found;
      });
      return show(account);
    },
  };
}
