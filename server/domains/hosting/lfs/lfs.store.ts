/** Rows of `lfs_objects`, and what they add up to for an owner. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { LfsRows } from "./lfs.rows.ts";
import { reservationMinutes } from "./expiry.ts";

export type ObjectRow = LfsRows["findObjects"];

export type WantedObject = LfsRows["findStored"];

export interface OwnerRow {
  id: string;
  name: string;
  kind: "user" | "org";
  plan: "free" | "pro" | "organization" | "enterprise";
  /** The limit set for this owner, whether the plan allows one or not. */
  custom_bytes: number | null;
}

/** The least that an object counts: what a file takes on disk. Otherwise, empty objects would be unlimited. */
export const minCountedBytes = 4_096;

const selectOwners = `select o.id, o.name, o.kind, coalesce(u.plan, g.plan) as plan, q.bytes as custom_bytes
  from owners o left join users u on u.id = o.id left join organizations g on g.id = o.id
  left join lfs_quotas q on q.owner_id = o.id`;
const counted = "(o.stored_at is not null or o.expires_at > clock_timestamp())";
const removedAtOnce = 200;

interface Known {
  /** An owner is a user or an organization, and both have a plan. */
  readOwner: Pick<OwnerRow, "plan">;
  findOwner: Pick<OwnerRow, "plan">;
}

export const statements = defineStatements<LfsRows, Known>({
  findObjects: `
    select oid, size_bytes, stored_at is not null as stored from lfs_objects
    where repository_id = $1 and oid = any($2::text[])`,
  hasStored: "select oid from lfs_objects where repository_id = $1 and stored_at is not null limit 1",
  lockOwner: "select owner_id from repositories where id = $1 and deleted_at is null for share",
  lockUse: "select pg_advisory_xact_lock(hashtextextended('lfs ' || $1, 0))",
  readOwner: `${selectOwners} where o.id = $1`,
  findOwner: `${selectOwners} where lower(o.name) = lower($1)`,
  deleteCustom: "delete from lfs_quotas where owner_id = $1",
  putCustom: `
    insert into lfs_quotas (owner_id, bytes) values ($1, $2)
    on conflict (owner_id) do update set bytes = excluded.bytes`,
  sumUse: `
    select coalesce(sum(size_bytes), 0)::bigint as bytes from (
    select greatest(max(o.size_bytes), ${minCountedBytes}) as size_bytes from lfs_objects o join repositories r on r.id = o.repository_id
    where r.owner_id = $1 and ${counted} group by o.oid) as different`,
  findCounted: `
    select o.oid, greatest(max(o.size_bytes), ${minCountedBytes})::bigint as size_bytes from lfs_objects o
    join repositories r on r.id = o.repository_id
    where r.owner_id = $1 and o.oid = any($2::text[]) and ${counted} group by o.oid`,
  countOpen: `
    select count(*)::int as open from lfs_objects o join repositories r on r.id = o.repository_id
    where r.owner_id = $1 and o.stored_at is null`,
  sumNew: `
    select coalesce(sum(greatest(o.size_bytes, ${minCountedBytes})), 0)::bigint as bytes from lfs_objects o
    where o.repository_id = $1 and ${counted} and not exists (
      select 1 from lfs_objects other join repositories r on r.id = other.repository_id
      where r.owner_id = $2 and other.oid = o.oid
        and (other.stored_at is not null or other.expires_at > clock_timestamp()))`,
  putReserved: `
    insert into lfs_objects (repository_id, oid, size_bytes, uploaded_by, expires_at)
    select $1, wanted.oid, wanted.size_bytes, $4, clock_timestamp() + interval '${reservationMinutes} minutes'
    from unnest($2::text[], $3::bigint[]) as wanted (oid, size_bytes)
    on conflict (repository_id, oid) do update set size_bytes = excluded.size_bytes,
      uploaded_by = excluded.uploaded_by, expires_at = excluded.expires_at
    where lfs_objects.stored_at is null`,
  findStored: `
    select oid, size_bytes as "sizeBytes" from lfs_objects
    where repository_id = $1 and stored_at is not null order by oid`,
  putStored: `
    insert into lfs_objects (repository_id, oid, size_bytes, stored_at)
    select $1, copied.oid, copied.size_bytes, now() from unnest($2::text[], $3::bigint[]) as copied (oid, size_bytes)`,
  markStored: `
    update lfs_objects set stored_at = now(), expires_at = null
    where repository_id = $1 and oid = $2 and stored_at is null`,
  deleteObject: "delete from lfs_objects where repository_id = $1 and oid = $2",
  deleteObjects: "delete from lfs_objects where repository_id = $1 and oid = any($2::text[])",
  findNamed: `
    select n.repository_id as id, n.full_name as "fullName" from repository_names n
    where n.repository_id = any($1::text[]) or exists (select from lfs_objects l where l.repository_id = n.repository_id)
    order by n.repository_id`,
  findAll:
    "select oid, size_bytes, stored_at is not null as stored from lfs_objects where repository_id = $1",
  lockAbandoned: `
    select repository_id, oid from lfs_objects where expires_at < now() - $1 * interval '1 hour'
    order by expires_at limit ${removedAtOnce} for update skip locked`,
  deleteAbandoned: `
    delete from lfs_objects o using unnest($1::text[], $2::text[]) as gone (repository_id, oid)
    where o.repository_id = gone.repository_id and o.oid = gone.oid`,
});

/** Whether a repository has any. */
export async function hasStored(db: Queryable, repositoryId: string): Promise<boolean> {
  return (await db.one(statements.hasStored, [repositoryId])) !== undefined;
}

export function findObjects(db: Queryable, repositoryId: string, oids: readonly string[]) {
  return db.query(statements.findObjects, [repositoryId, oids]);
}

/**
 * Locks the repository's owner until the transaction ends, so that everything that counts or changes the owner's use runs one
 * after the other. Undefined when the repository is deleted.
 */
export async function lockOwner(tx: Queryable, repositoryId: string): Promise<OwnerRow | undefined> {
  const repository = await tx.one(statements.lockOwner, [repositoryId]);
  return repository && lockUse(tx, repository.owner_id);
}

export async function lockUse(tx: Queryable, ownerId: string): Promise<OwnerRow | undefined> {
  await tx.query(statements.lockUse, [ownerId]);
  return readOwner(tx, ownerId);
}

export function readOwner(db: Queryable, ownerId: string): Promise<OwnerRow | undefined> {
  return db.one(statements.readOwner, [ownerId]);
}

/** Names are compared without case. */
export function findOwner(db: Queryable, name: string): Promise<OwnerRow | undefined> {
  return db.one(statements.findOwner, [name]);
}

/** To be called after `lockUse`. null: the owner has no limit of its own any more. */
export async function putCustom(tx: Queryable, ownerId: string, bytes: number | null): Promise<void> {
  if (bytes === null) await tx.query(statements.deleteCustom, [ownerId]);
  else await tx.query(statements.putCustom, [ownerId, bytes]);
}

/** Sum of all distinct objects that are stored or reserved; exact after `lockUse`. */
export async function sumUse(tx: Queryable, ownerId: string): Promise<number> {
  const row = await tx.one(statements.sumUse, [ownerId]);
  return row?.bytes ?? 0;
}

/** Those of the objects that the owner's use already includes, with their sizes. */
export function findCounted(tx: Queryable, ownerId: string, oids: readonly string[]) {
  return tx.query(statements.findCounted, [ownerId, oids]);
}

/** Number of announced and not yet uploaded objects in all repositories of the owner; exact after `lockUse`. */
export async function countOpen(tx: Queryable, ownerId: string): Promise<number> {
  const row = await tx.one(statements.countOpen, [ownerId]);
  return row?.open ?? 0;
}

/** What the repository's objects would add to the use of another owner. */
export async function sumNew(tx: Queryable, repositoryId: string, ownerId: string): Promise<number> {
  const row = await tx.one(statements.sumNew, [repositoryId, ownerId]);
  return row?.bytes ?? 0;
}

/** Reserves room for an hour from now; stored objects stay as they are. */
export async function putReserved(
  tx: Queryable,
  repositoryId: string,
  { wanted, userId }: { wanted: readonly WantedObject[]; userId: string | null },
): Promise<void> {
  await tx.query(statements.putReserved, [
    repositoryId,
    wanted.map(({ oid }) => oid),
    wanted.map(({ sizeBytes }) => sizeBytes),
    userId,
  ]);
}

export function findStored(db: Queryable, repositoryId: string): Promise<WantedObject[]> {
  return db.query(statements.findStored, [repositoryId]);
}

/** Bytes that are there already under the repository's own keys. */
export async function putStored(
  tx: Queryable,
  repositoryId: string,
  objects: readonly WantedObject[],
): Promise<void> {
  await tx.query(statements.putStored, [
    repositoryId,
    objects.map(({ oid }) => oid),
    objects.map(({ sizeBytes }) => sizeBytes),
  ]);
}

export async function markStored(tx: Queryable, repositoryId: string, oid: string): Promise<void> {
  await tx.query(statements.markStored, [repositoryId, oid]);
}

export async function deleteObject(tx: Queryable, repositoryId: string, oid: string): Promise<void> {
  await tx.query(statements.deleteObject, [repositoryId, oid]);
}

export async function deleteObjects(
  tx: Queryable,
  repositoryId: string,
  oids: readonly string[],
): Promise<void> {
  await tx.query(statements.deleteObjects, [repositoryId, oids]);
}

export interface NamedRepository {
  id: string;
  /** For example `ada/hello`. */
  fullName: string;
}

/** Repositories that have rows here, or one of these ids; includes deleted ones. */
export function findNamed(db: Queryable, ids: readonly string[]): Promise<NamedRepository[]> {
  return db.query(statements.findNamed, [ids]);
}

/** All rows of the repository, reservations too. */
export function findAll(db: Queryable, repositoryId: string): Promise<ObjectRow[]> {
  return db.query(statements.findAll, [repositoryId]);
}

/** Locks some reservations that expired so long ago that no upload can still be under way. */
export function lockAbandoned(
  tx: Queryable,
  hours: number,
): Promise<{ repository_id: string; oid: string }[]> {
  return tx.query(statements.lockAbandoned, [hours]);
}

/** For any repositories: both lists name each row at the same position. */
export async function deleteAbandoned(
  tx: Queryable,
  rows: readonly { repository_id: string; oid: string }[],
): Promise<void> {
  await tx.query(statements.deleteAbandoned, [
    rows.map((row) => row.repository_id),
    rows.map(({ oid }) => oid),
  ]);
}
