/** Whose SSH keys these are, and which addresses are theirs: for signatures of commits. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { SignersRows } from "./signers.rows.ts";

const addresses = (condition: string) => `coalesce((
      select array_agg(lower(e.email)) from user_emails e
      where e.user_id = u.id and lower(e.email) = any($2) and e.verified_at ${condition}), '{}')`;

export const statements = defineStatements<SignersRows>({
  findSigners: `
    select k.fingerprint, u.id, u.username,
      ${addresses("is not null")} as verified, ${addresses("is null")} as unverified
    from ssh_keys k join users u on u.id = k.user_id and not u.suspended where k.fingerprint = any($1)`,
});

export type SignerRow = RowOf<typeof statements.findSigners>;

/** `emails` in lower case; of each person those that are among them. Keys of repositories and suspended people are left out. */
export function findSigners(
  db: Queryable,
  fingerprints: readonly string[],
  emails: readonly string[],
): Promise<SignerRow[]> {
  return db.query(statements.findSigners, [fingerprints, emails]);
}
