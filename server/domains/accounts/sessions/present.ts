/** Session rows as the REST interface shows them. */
import type { Session } from "@forgeline/schemas/sessions/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { SessionRow } from "./sessions.store.ts";

/** `current` and `csrfToken` are of the request that asks. */
export function presentSession(
  row: SessionRow,
  addresses: Addresses,
  asking: { currentId: string | null; csrfToken?: string | undefined },
): Session {
  const current = row.id === asking.currentId;
  return {
    id: row.id,
    method: row.method,
    ip_address: row.ip_address,
    user_agent: row.user_agent,
    current,
    ...(current && asking.csrfToken !== undefined ? { csrf_token: asking.csrfToken } : {}),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    url: `${addresses.baseUrl}/user/sessions/${row.id}`,
    web_url: `${addresses.webUrl}/settings/sessions#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.last_seen_at.toISOString(),
  };
}
