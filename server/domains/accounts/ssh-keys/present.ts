/** SSH keys as the REST interface shows them. */
import type { SshKey } from "@forgeline/schemas/ssh-keys/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { SshKeyRow } from "./ssh-keys.store.ts";

export function presentSshKey(row: SshKeyRow, addresses: Addresses): SshKey {
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    key: row.public_key,
    fingerprint: row.fingerprint,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/user/keys/${row.id}`,
    web_url: `${addresses.webUrl}/settings/keys#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
