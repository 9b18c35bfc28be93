/** Passkeys as the REST interface shows them. */
import type { Passkey } from "@forgeline/schemas/passkeys/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { PasskeyRow } from "./passkeys.store.ts";

export function presentPasskey(row: PasskeyRow, addresses: Addresses): Passkey {
  return {
    id: row.id,
    name: row.name,
    synced: row.synced,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/user/passkeys/${row.id}`,
    web_url: `${addresses.webUrl}/settings/passkeys#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: (row.last_used_at ?? row.created_at).toISOString(),
  };
}
