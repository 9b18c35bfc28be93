/** Lists and withdraws what users have allowed apps to do, and ends it with the account or the app. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import * as store from "./grant.store.ts";
import type { GrantRow } from "./grant.store.ts";

export interface GrantService {
  list(actor: Actor, page: PageQuery): Promise<{ rows: GrantRow[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<GrantRow>;
  /** Its tokens end at once, on every server. Throws `not_found`. */
  withdraw(actor: Actor, id: string): Promise<void>;
  /** Ends all tokens for a user or of an app; what was allowed remains, so a suspended user's list is as it was. */
  endAll(tx: Transaction, of: "user" | "app", id: string): Promise<void>;
}

/** More than these are announced as "any token", so that no transaction announces thousands. */
const maxSingleNotices = 100;

export async function announceEndedTokens(tx: Transaction, tokenIds: readonly string[]): Promise<void> {
  if (tokenIds.length > maxSingleNotices) await tx.notify("token", "");
  else for (const id of tokenIds) await tx.notify("token", id);
}

export function createGrantService(db: Database): GrantService {
  return {
    list: (actor, page) => store.listGrants(db, userIdOf(actor), page),
    async get(actor, id) {
      const row = await store.findGrant(db, userIdOf(actor), id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async withdraw(actor, id) {
      await db.transaction(async (tx) => {
        // Looked up first, so that nobody waits for a lock on somebody else's row.
        const row = await store.findGrant(tx, userIdOf(actor), id);
        if (!row || !(await store.lockGrant(tx, id))) throw new AppError("not_found");
        await announceEndedTokens(tx, await store.deleteFamilies(tx, "grant", id));
        await store.deleteGrant(tx, id);
        await recordAudit(tx, actor, {
          action: "oauth.revoke",
          target: { type: "oauth_app", id: row.app_id, name: row.app_name },
          details: { grant_id: id, by: "user" },
        });
      });
    },
    async endAll(tx, of, id) {
      await store.lockGrantsOf(tx, of, id);
      if (of === "user") await store.deleteCodesOfUser(tx, id);
      await announceEndedTokens(tx, await store.deleteFamilies(tx, of, id));
    },
  };
}
