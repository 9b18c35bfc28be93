/** Limits of single accounts that differ from the instance's, set by its administrators. */
import { CustomLimits, type AccountLimit } from "@forgeline/schemas/limits/resource.ts";
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";
import type { Database } from "../../db/database.ts";
import { AppError } from "../../platform/app-error.ts";
import type { RateLimitTable } from "../../platform/rate-limits.ts";
import { recordAudit } from "../audit/record.ts";
import type { Actor } from "../identity/actor.ts";
import { findAccount, readCustom, replaceCustom, type Account } from "./custom-store.ts";

export interface AccountName {
  name: string;
  kind: "user" | "org";
}

export interface CustomLimitService {
  /** Throws `not_found`. */
  get(account: AccountName): Promise<AccountLimit[]>;
  /** Replaces all custom limits of the account. Throws `not_found`. */
  set(actor: Actor, account: AccountName, wanted: CustomLimits): Promise<AccountLimit[]>;
}

const customCategories = Object.keys(CustomLimits.shape) as RateCategory[];

export function createCustomLimits(deps: { db: Database; limits: RateLimitTable }): CustomLimitService {
  const { db } = deps;

  async function show(account: Account): Promise<AccountLimit[]> {
    const custom = new Map((await readCustom(db, account.id)).map((row) => [row.category, row.requests]));
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

  async function find(account: AccountName): Promise<Account> {
    const found = await findAccount(db, account);
    if (!found) throw new AppError("not_found");
    return found;
  }

  return {
    get: async (account) => show(await find(account)),
    async set(actor, name, wanted) {
      const account = await find(name);
      const rows = customCategories.flatMap((category) => {
        const requests = wanted[category as keyof CustomLimits];
        return requests === undefined ? [] : [{ category, requests }];
      });
      await db.transaction(async (tx) => {
        await replaceCustom(tx, account.id, rows);
        await recordAudit(tx, actor, {
          action: "admin.limits_change",
          target: { type: name.kind, id: account.id, name: account.name },
          details: { limits: wanted },
        });
      });
      return show(account);
    },
  };
}
