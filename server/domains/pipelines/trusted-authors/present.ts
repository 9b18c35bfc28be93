/** Trusted authors as the API shows them. Pure. */
import type { TrustedAuthor } from "@forgeline/schemas/trusted-authors/resource.ts";
import type { TrustedAuthorRow } from "./trusted-authors.store.ts";

export function presentTrusted(row: TrustedAuthorRow): TrustedAuthor {
  const { by_id: id, by_username: username } = row;
  return {
    user: { id: row.id, username: row.username },
    trusted_by: id === null || username === null ? null : { id, username },
    trusted_at: row.trusted_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
