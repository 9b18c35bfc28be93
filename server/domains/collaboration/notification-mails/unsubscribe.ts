/** Ends mails by the address that was in one, without signing in. */
import type { Database } from "../../../platform/db/database.ts";
import type { SubscriptionService } from "../notifications/subscriptions.ts";
import { statements } from "./settings.store.ts";
import type { UnsubscribeTarget, UnsubscribeTokens } from "./unsubscribe-tokens.ts";

export interface UnsubscribeService {
  /** What the token would end; undefined for one that does not work. Changes nothing: programs open the addresses in mails. */
  look(token: string): "conversation" | "all" | undefined;
  /** The same, and it has ended. Safe to repeat. */
  unsubscribe(token: string): Promise<"conversation" | "all" | undefined>;
}

export interface UnsubscribeDeps {
  db: Database;
  tokens: UnsubscribeTokens;
  subscriptions: Pick<SubscriptionService, "muteItem">;
}

export function createUnsubscribeService({ db, tokens, subscriptions }: UnsubscribeDeps): UnsubscribeService {
  const whatOf = (target: UnsubscribeTarget | undefined) =>
    target && (target.itemId === null ? "all" : "conversation");
  return {
    look: (token) => whatOf(tokens.read(token)),
    async unsubscribe(token) {
      const target = tokens.read(token);
      if (target?.itemId) await subscriptions.muteItem(target.userId, target.itemId);
      else if (target) await db.query(statements.turnOff, [target.userId]);
      return whatOf(target);
    },
  };
}
