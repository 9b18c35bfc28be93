/** Access tokens as the REST interface shows them. */
import type { AccessToken } from "@forgeline/schemas/tokens/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { NamedToken } from "./named-token.ts";

/** One of the caller's own. */
export function presentToken(token: NamedToken, addresses: Addresses): AccessToken {
  return presentTokenAt(token, {
    url: `${addresses.baseUrl}/user/tokens/`,
    webUrl: `${addresses.webUrl}/settings/tokens#`,
  });
}

/** `at`: addresses to which the token's id is added. */
export function presentTokenAt(
  { row, repositories }: NamedToken,
  at: { url: string; webUrl: string },
): AccessToken {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    repositories,
    address_ranges: row.address_ranges,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    url: `${at.url}${row.id}`,
    web_url: `${at.webUrl}${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
