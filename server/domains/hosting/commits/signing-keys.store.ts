/** Rows of `commit_signing_keys`: public halves of the keys with which the instance has signed commits. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SigningKeysRows } from "./signing-keys.rows.ts";

export const statements = defineStatements<SigningKeysRows>({
  insertKey: `
    insert into commit_signing_keys (fingerprint, public_key) values ($1, $2) on conflict (fingerprint) do nothing`,
  findKeys: "select fingerprint from commit_signing_keys where fingerprint = any($1)",
});

export async function insertKey(
  db: Queryable,
  key: { fingerprint: string; publicKey: string },
): Promise<void> {
  await db.query(statements.insertKey, [key.fingerprint, key.publicKey]);
}

/** Those of these that were the instance's at some time. */
export async function findKeys(db: Queryable, fingerprints: readonly string[]): Promise<Set<string>> {
  const rows = await db.query(statements.findKeys, [fingerprints]);
  return new Set(rows.map(({ fingerprint }) => fingerprint));
}
