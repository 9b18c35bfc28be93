/** Rows of `runner_groups` and `runner_group_access`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { RunnerGroupUpdate } from "@forgeline/schemas/runner-groups/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { RunnerGroupsRows } from "./runner-groups.rows.ts";

interface Known {
  /** The view's joins say so. */
  findRepositories: { id: string; name: string };
}

export type RunnerGroupRow = RunnerGroupsRows["findGroup"];
export type Named = RowOf<typeof statements.findOwners>;

const isOf = "g.organization_id is not distinct from $1";

const select = `
  select g.id, g.name, g.description, g.access, g.organization_id, o.name as organization, g.created_at, g.updated_at,
    array(select w.name from runner_group_access e join owners w on w.id = e.owner_id
      where e.group_id = g.id order by lower(w.name)) as "ownerNames",
    array(select n.full_name from runner_group_access e join repository_names n on n.repository_id = e.repository_id
      where e.group_id = g.id and n.deleted_at is null order by lower(n.full_name)) as "repositoryNames",
    (select count(*)::int from runners r where r.group_id = g.id and r.revoked_at is null) as runners
  from runner_groups g left join owners o on o.id = g.organization_id`;

export const statements = defineStatements<RunnerGroupsRows, Known>({
  findGroup: `${select} where g.id = $1`,
  listGroups: `${select} where ${isOf} order by lower(g.name) limit $2 offset $3`,
  holdPlace: "select pg_advisory_xact_lock(hashtextextended('runner groups of ' || $1, 0))",
  countGroups: `select count(*)::int as count from runner_groups g where ${isOf}`,
  isTaken: `select g.id from runner_groups g where ${isOf} and lower(g.name) = lower($2) and g.id is distinct from $3`,
  insertGroup: "insert into runner_groups (id, organization_id, name, description) values ($1, $2, $3, $4)",
  changeGroup: `
    update runner_groups set name = coalesce($2, name), description = coalesce($3, description), updated_at = now()
    where id = $1`,
  changeAccess: "update runner_groups set access = $2, updated_at = now() where id = $1",
  clearEntries: "delete from runner_group_access where group_id = $1",
  insertEntries: `
    insert into runner_group_access (group_id, owner_id, repository_id)
    select $1, unnest($2::text[]), null union all select $1, null, unnest($3::text[])`,
  findOwners: `
    select w.id, w.name from owners w where lower(w.name) in (select lower(wanted) from unnest($1::text[]) as wanted)`,
  findRepositories: `
    select distinct n.repository_id as id, n.full_name as name from unnest($1::text[], $2::text[]) as wanted (owner, name)
      join repository_names n on lower(n.owner) = lower(wanted.owner) and lower(n.name) = lower(wanted.name)
    where n.deleted_at is null and ($3::text is null or n.owner_id = $3)`,
  // Whoever registers by a token holds the token before the group.
  lockTokens: "select id from runner_registration_tokens where group_id = $1 order by id for update",
  lockGroup: "select id from runner_groups where id = $1 for update",
  holdGroup: `
    select id, name from runner_groups where id = $1 and organization_id is not distinct from $2 for key share`,
  hasRunners: "select id from runners where group_id = $1 and revoked_at is null limit 1",
  deleteGroup: "delete from runner_groups where id = $1",
  forgetRepository: "delete from runner_group_access where repository_id = $1",
});

export function findGroup(db: Queryable, id: string): Promise<RunnerGroupRow | undefined> {
  return db.one(statements.findGroup, [id]);
}

/** By name; of the instance where `organizationId` is null. */
export async function listGroups(
  db: Queryable,
  organizationId: string | null,
  page: PageQuery,
): Promise<{ rows: RunnerGroupRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listGroups, [organizationId, page.per_page, offsetOf(page)]),
    countRows(db, `from runner_groups g where ${isOf}`, [organizationId]),
  ]);
  return { rows, total };
}

/** Until the transaction ends: so that two who ask at once pass neither the limit nor each other's name. */
export async function holdPlace(tx: Transaction, organizationId: string | null): Promise<void> {
  await tx.query(statements.holdPlace, [organizationId ?? "the instance"]);
}

export async function countGroups(tx: Transaction, organizationId: string | null): Promise<number> {
  return (await tx.one(statements.countGroups, [organizationId]))?.count ?? 0;
}

/** By another group than `id`. */
export async function isTaken(
  tx: Transaction,
  { organizationId, name, id }: { organizationId: string | null; name: string; id: string },
): Promise<boolean> {
  return (await tx.one(statements.isTaken, [organizationId, name, id])) !== undefined;
}

/** Everybody may use it, until `putAccess`. */
export async function insertGroup(
  tx: Transaction,
  group: { id: string; organizationId: string | null; name: string; description: string },
): Promise<void> {
  const { id, organizationId, name, description } = group;
  await tx.query(statements.insertGroup, [id, organizationId, name, description]);
}

export async function changeGroup(tx: Transaction, id: string, change: RunnerGroupUpdate): Promise<void> {
  await tx.query(statements.changeGroup, [id, change.name ?? null, change.description ?? null]);
}

/** Ids of all that may use it with `selected`, instead of those before. */
export async function putAccess(
  tx: Transaction,
  id: string,
  access: { access: string; ownerIds: readonly string[]; repositoryIds: readonly string[] },
): Promise<void> {
  await tx.query(statements.changeAccess, [id, access.access]);
  await tx.query(statements.clearEntries, [id]);
  await tx.query(statements.insertEntries, [id, [...access.ownerIds], [...access.repositoryIds]]);
}

export function findOwners(tx: Transaction, names: readonly string[]): Promise<Named[]> {
  return tx.query(statements.findOwners, [[...names]]);
}

/** `ownerId` null: of anybody. */
export function findRepositories(
  tx: Transaction,
  names: readonly { owner: string; name: string }[],
  ownerId: string | null,
): Promise<Named[]> {
  const [owners, repositories] = [names.map(({ owner }) => owner), names.map(({ name }) => name)];
  return tx.query(statements.findRepositories, [owners, repositories, ownerId]);
}

/** Until the transaction ends, nobody puts a runner into it. */
export async function lockGroup(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.lockTokens, [id]);
  await tx.query(statements.lockGroup, [id]);
}

/** Until the transaction ends, it is not deleted. Undefined: this owner has no such group. */
export function holdGroup(
  tx: Transaction,
  id: string,
  organizationId: string | null,
): Promise<{ id: string; name: string } | undefined> {
  return tx.one(statements.holdGroup, [id, organizationId]);
}

/** Not counting those that were removed. */
export async function hasRunners(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(statements.hasRunners, [id])) !== undefined;
}

export async function deleteGroup(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.deleteGroup, [id]);
}

/** From now on no group names it. */
export async function forgetRepository(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.forgetRepository, [repositoryId]);
}
