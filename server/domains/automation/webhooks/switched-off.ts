/** Tells those who can set it right that a webhook was switched off. */
import type { Transaction } from "../../../platform/db/database.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Notice } from "../../accounts/domain.ts";
import { findOwners } from "./switched-off.store.ts";

export interface SwitchedOffDeps {
  addresses: Addresses;
  notify(tx: Transaction, userId: string, notice: Notice): Promise<void>;
}

export interface OffWebhook {
  id: string;
  shown_url: string;
  repository_id: string | null;
  organization_id: string | null;
}

export interface SwitchedOff {
  /** In the transaction that switches it off. */
  tell(tx: Transaction, webhook: OffWebhook): Promise<void>;
}

export function createSwitchedOff({ addresses, notify }: SwitchedOffDeps): SwitchedOff {
  return {
    async tell(tx, webhook) {
      const owners = await findOwners(tx, webhook);
      const [first] = owners;
      if (!first) return;
      const isOfRepository = webhook.repository_id !== null;
      await recordAudit(tx, systemActor, {
        action: "webhook.switch_off",
        target: {
          type: isOfRepository ? "repository" : "organization",
          id: first.place_id,
          name: first.place,
        },
        details: { webhook_id: webhook.id, url: webhook.shown_url, reason: "failing" },
      });
      const page = isOfRepository
        ? `${addresses.webUrl}/${first.place}/settings/webhooks/${webhook.id}`
        : `${addresses.webUrl}/orgs/${first.place}/webhooks/${webhook.id}`;
      for (const { user_id: userId } of owners)
        await notify(tx, userId, {
          kind: "webhook_switched_off",
          subject: `A webhook of ${first.place} was switched off`,
          paragraphs: [
            `For seven days ${webhook.shown_url} has accepted nothing that the webhook of ${first.place} sent. It was switched off.`,
            `You can look at the deliveries, switch it on again, and send once more what failed: ${page}`,
          ],
        });
    },
  };
}
