/** User rows as the REST interface shows them. */
import type { OwnUser, User } from "@forgeline/schemas/users/resource.ts";
import type { Addresses } from "../../platform/addresses.ts";
import type { UserRow } from "./store.ts";

export function presentUser(row: UserRow, addresses: Addresses): User {
  return {
    id: row.id,
    username: row.username,
    name: row.display_name,
    avatar_url: `${addresses.webUrl}/avatars/${row.id}`,
    type: row.type,
    url: `${addresses.baseUrl}/users/${encodeURIComponent(row.username)}`,
    web_url: `${addresses.webUrl}/${encodeURIComponent(row.username)}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentOwnUser(row: UserRow, addresses: Addresses): OwnUser {
  return {
    ...presentUser(row, addresses),
    url: `${addresses.baseUrl}/user`,
    email: row.email,
    plan: row.plan,
    two_factor_enabled: false,
  };
}
