/** Chooses where mails of single organizations go. */
import type { OrganizationAddress } from "@forgeline/schemas/notifications/settings.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import * as store from "./organization-addresses.store.ts";

/** Instead of what they chose before. Throws `validation_failed` for what is no organization, and no verified address of theirs. */
export async function chooseAddresses(
  tx: Transaction,
  userId: string,
  wanted: readonly OrganizationAddress[],
): Promise<void> {
  const resolved = await store.resolve(tx, userId, wanted);
  for (const [index, { organization_id: organizationId, email_id: emailId }] of resolved.entries()) {
    const field = `organization_addresses.${index}`;
    if (organizationId === null)
      throw invalidField(`${field}.organization`, "unknown", "There is no such organization.");
    if (emailId === null)
      throw invalidField(
        `${field}.email_id`,
        "not_allowed",
        "Choose one of your own addresses that is verified.",
      );
  }
  await store.replace(tx, userId, wanted);
}
