/** Mails as the REST interface shows them. */
import type { Mail } from "@forgeline/schemas/mails/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { MailRow } from "./mails.store.ts";

/** `text`: decrypted. */
export function presentMail(
  { row, text, state }: { row: MailRow; text: Mail["text"]; state: Mail["state"] },
  addresses: Addresses,
): Mail {
  return {
    id: row.id,
    kind: row.kind,
    to: row.to_address,
    subject: row.subject,
    text,
    state,
    attempts: row.attempts,
    error: row.error,
    url: `${addresses.baseUrl}/admin/mails/${row.id}`,
    web_url: `${addresses.webUrl}/-/admin/mails/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: (row.sent_at ?? row.failed_at ?? row.created_at).toISOString(),
  };
}
