/** Repositories that were deleted and can still be restored. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { DeletionRows } from "./deletion.rows.ts";
import { levelSql } from "../../policy/domain.ts";
import { columns, takeName, type RepositoryRow, type Viewer } from "./repositories.store.ts";

/** The time that a deleted repository is kept, as an SQL interval. */
const kept = "interval '7 days'";
const level = levelSql({ repository: "r", user: "$3::text", admin: "$4::boolean", deleted: true });

export const statements = defineStatements<DeletionRows>({
  findDeleted: `
    select ${columns}, 'admin' as level from owners o join repositories r on r.owner_id = o.id
    where lower(o.name) = lower($1) and lower(r.name) = lower($2) and r.deleted_at > now() - ${kept}
      and ${level} = 'admin' order by r.deleted_at desc limit 1`,
  markDeleted:
    "update repositories set deleted_at = now(), updated_at = now() where id = $1 and deleted_at is null returning id",
  findNamesake:
    "select id from repositories where owner_id = $1 and lower(name) = lower($2) and deleted_at is null",
  unmarkDeleted: `
    update repositories set deleted_at = null, updated_at = now()
    where id = $1 and deleted_at > now() - ${kept} returning id`,
  lockExpired: `
    select id from repositories where deleted_at <= now() - ${kept}
    order by deleted_at limit 1 for update skip locked`,
  dropRepository: "delete from repositories where id = $1",
});

/** The one deleted last, among those on which the viewer had `admin`, so that nobody else learns that it existed. */
export async function findDeleted(
  db: Queryable,
  address: { owner: string; name: string },
  viewer: Viewer,
): Promise<(RepositoryRow & { level: RepositoryLevel }) | undefined> {
  return db.one(statements.findDeleted, [address.owner, address.name, viewer.userId, viewer.isAdmin]);
}

/** False when it is deleted already. */
export async function markDeleted(tx: Queryable, id: string): Promise<boolean> {
  const row = await tx.one(statements.markDeleted, [id]);
  return row !== undefined;
}

/** `taken`: another one has the name. `gone`: it does not exist, is not deleted, or its time is over. */
export async function unmarkDeleted(
  tx: Queryable,
  { id, owner_id, name }: Pick<RepositoryRow, "id" | "owner_id" | "name">,
): Promise<"restored" | "taken" | "gone"> {
  const other = await tx.one(statements.findNamesake, [owner_id, name]);
  if (other) return "taken";
  const row = await tx.one(statements.unmarkDeleted, [id]);
  if (!row) return "gone";
  await takeName(tx, owner_id, name);
  return "restored";
}

/** Locks one whose time is over until the transaction ends; undefined if there is none that is not locked. */
export async function lockExpired(tx: Queryable): Promise<{ id: string } | undefined> {
  return tx.one(statements.lockExpired);
}

/** With all rows that belong to it. */
export async function dropRepository(tx: Queryable, id: string): Promise<void> {
  await tx.query(statements.dropRepository, [id]);
}
