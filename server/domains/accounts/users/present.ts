/** User rows as the REST interface shows them. */
import type { AdministeredUser } from "@forgeline/schemas/administration/resource.ts";
import type { OwnUser, User } from "@forgeline/schemas/users/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { UserRow } from "./users.store.ts";

export function presentUser(row: UserRow, addresses: Addresses): User {
  return { ...shared(row, addresses), email: row.email_public && row.email !== "" ? row.email : null };
}

export function presentOwnUser(row: UserRow, addresses: Addresses): OwnUser {
  return {
    ...shared(row, addresses),
    url: `${addresses.baseUrl}/user`,
    email: row.email,
    email_public: row.email_public,
    plan: row.plan,
    two_factor_enabled: row.two_factor_enabled,
    admin: row.is_admin,
  };
}

export function presentAdministeredUser(row: UserRow, addresses: Addresses): AdministeredUser {
  const { avatar_url: _avatar, ...shown } = presentUser(row, addresses);
  return {
    ...shown,
    email: row.email,
    plan: row.plan,
    admin: row.is_admin,
    suspended: row.suspended,
    two_factor_enabled: row.two_factor_enabled,
    url: `${addresses.baseUrl}/admin/users/${encodeURIComponent(row.username)}`,
  };
}

/** As `user_snapshot` of the database keeps it with an event. */
export type UserSnapshot = Pick<UserRow, "id" | "username" | "display_name" | "type"> & {
  created_at: string;
  updated_at: string;
};

export function presentEventUser(row: UserSnapshot, addresses: Addresses): Omit<User, "email"> {
  return shared(row, addresses);
}

function shared(
  row: Pick<UserRow, "id" | "username" | "display_name" | "type"> &
    Record<"created_at" | "updated_at", Date | string>,
  addresses: Addresses,
) {
  return {
    id: row.id,
    username: row.username,
    name: row.display_name,
    avatar_url: `${addresses.webUrl}/avatars/${row.id}`,
    type: row.type,
    url: `${addresses.baseUrl}/users/${encodeURIComponent(row.username)}`,
    web_url: `${addresses.webUrl}/${encodeURIComponent(row.username)}`,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
