/** Rows of `owners`: the names of users, bots and organizations, of which no two are alike. */
import type { Queryable } from "../../../platform/db/database.ts";

/** False when the name is taken. */
export async function insertOwner(
  tx: Queryable,
  owner: { id: string; name: string; kind: "user" | "org" },
): Promise<boolean> {
  const row = await tx.one(
    `insert into owners (id, name, kind) values ($1, $2, $3) on conflict do nothing returning id`,
    [owner.id, owner.name, owner.kind],
  );
  return row !== undefined;
}

/** Others may take them: the owners are called by their ids from now on. */
export async function releaseNames(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(`update owners set name = id where id = any($1)`, [ids]);
}

/** With all that hangs on it; its name is free again. */
export async function deleteOrganizationOwner(tx: Queryable, id: string): Promise<void> {
  await tx.query(`delete from owners where id = $1 and kind = 'org'`, [id]);
}
