/** Rows of `owners`: the names of users, bots and organizations, which are unique together. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { OwnersRows } from "./owners.rows.ts";

export const statements = defineStatements<OwnersRows>({
  insertOwner: `insert into owners (id, name, kind) values ($1, $2, $3) on conflict do nothing returning id`,
  releaseNames: `update owners set name = id where id = any($1)`,
  deleteOrganizationOwner: `delete from owners where id = $1 and kind = 'org'`,
});

/** False when the name is taken. */
export async function insertOwner(
  tx: Queryable,
  owner: { id: string; name: string; kind: "user" | "org" },
): Promise<boolean> {
  const row = await tx.one(statements.insertOwner, [owner.id, owner.name, owner.kind]);
  return row !== undefined;
}

/** Releases the names: from now on the owners are named by their ids. */
export async function releaseNames(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(statements.releaseNames, [ids]);
}

/** With everything that belongs to it; its name can be taken again. */
export async function deleteOrganizationOwner(tx: Queryable, id: string): Promise<void> {
  await tx.query(statements.deleteOrganizationOwner, [id]);
}
