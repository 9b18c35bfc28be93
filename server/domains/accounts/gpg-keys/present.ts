/** OpenPGP keys as the REST interface shows them. */
import type { GpgKey } from "@forgeline/schemas/gpg-keys/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { GpgKeyRow } from "./gpg-keys.store.ts";

export function presentGpgKey(row: GpgKeyRow, addresses: Addresses): GpgKey {
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    key_ids: row.key_ids,
    emails: row.emails,
    key: row.public_key,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked: row.revoked,
    url: `${addresses.baseUrl}/user/gpg-keys/${row.id}`,
    web_url: `${addresses.webUrl}/settings/gpg-keys#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
