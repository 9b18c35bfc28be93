/** E-mail addresses as the REST interface shows them. */
import type { Email } from "@forgeline/schemas/emails/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { EmailRow } from "./emails.store.ts";

export function presentEmail(row: EmailRow, addresses: Addresses): Email {
  return {
    id: row.id,
    email: row.email,
    verified: row.verified_at !== null,
    primary: row.is_primary,
    url: `${addresses.baseUrl}/user/emails/${row.id}`,
    web_url: `${addresses.webUrl}/settings/emails#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: (row.verified_at ?? row.created_at).toISOString(),
  };
}
