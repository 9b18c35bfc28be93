/** Rows of `repository_maintenance`. A repository without any maintenance so far has none. */
import type { ListMaintenanceQuery } from "@forgeline/schemas/maintenance/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { MaintenanceRows } from "./maintenance.rows.ts";

// A worker that died leaves a start without an end; its successor starts again within a minute.
const state = `case
  when m.started_at > coalesce(m.maintained_at, '-infinity') and m.started_at > now() - interval '6 hours' then 'running'
  when m.requested_at is not null then 'waiting'
  when m.damage <> '{}' then 'damaged'
  when m.problem is not null then 'failed'
  else 'idle' end`;
const columns = `n.full_name as repository, ${state} as state, m.requested_at, m.maintained_at,
  m.repacked_at, m.pruned_at, m.checked_at, m.problem, coalesce(m.damage, '{}') as damage,
  coalesce(m.loose_objects, 0) as loose_objects, coalesce(m.packs, 0) as packs`;
const from = `from repository_names n left join repository_maintenance m on m.repository_id = n.repository_id`;
const listed = `${from} where n.deleted_at is null and ($1::text is null or ${state} = $1)`;

export const statements = defineStatements<MaintenanceRows>({
  findMaintenance: `select ${columns} ${from} where n.repository_id = $1`,
  listMaintenance: `select ${columns} ${listed} order by m.maintained_at nulls first, n.repository_id limit $2 offset $3`,
  insertRequest: `
    insert into repository_maintenance as m (repository_id, requested_at, prune_requested) values ($1, now(), $2)
    on conflict (repository_id) do update
      set requested_at = now(), prune_requested = m.prune_requested or excluded.prune_requested`,
  findDue: `
    select r.id from repositories r left join repository_maintenance m on m.repository_id = r.id
    where r.deleted_at is null and (m.requested_at is not null or m.maintained_at is null
      or (r.updated_at > m.maintained_at and m.maintained_at < now() - interval '1 hour')
      or (m.checked_at is null or m.checked_at < now() - interval '7 days') and m.maintained_at < now() - interval '1 day'
      or m.problem is not null and m.maintained_at < now() - interval '1 day')
    order by m.requested_at is null, m.maintained_at nulls first, r.id limit $1`,
  beginMaintenance: `
    insert into repository_maintenance as m (repository_id, started_at)
    select id, now() from repositories where id = $1 and deleted_at is null
    on conflict (repository_id) do update set started_at = now()
    returning requested_at, prune_requested as prune,
      repacked_at is null or repacked_at < now() - interval '7 days' as everything_is_due,
      requested_at is not null or checked_at is null or checked_at < now() - interval '7 days' as check_is_due`,
  holdPushes: `
    update repository_maintenance set pruning_until = now() + interval '2 minutes' where repository_id = $1`,
  findPush: "select exists (select from pushes where repository_id = $1 and state = 'intended') as busy",
  resumePushes: "update repository_maintenance set pruning_until = null where repository_id = $1",
  endMaintenance: `
    update repository_maintenance set maintained_at = now(), problem = $3,
      prune_requested = prune_requested and requested_at is distinct from $2::timestamptz,
      requested_at = case when requested_at is distinct from $2::timestamptz then requested_at end,
      damage = coalesce($4, damage), checked_at = case when $4::text[] is null then checked_at else now() end,
      loose_objects = coalesce($5, loose_objects), packs = coalesce($6, packs),
      repacked_at = case when $7 then now() else repacked_at end,
      pruned_at = case when $8 then now() else pruned_at end, pruning_until = null
    where repository_id = $1`,
  recordGivenUp: `
    update repository_maintenance set maintained_at = now(), problem = $2, requested_at = null, prune_requested = false,
      pruning_until = null
    where repository_id = $1`,
  recordDamage: `
    insert into repository_maintenance as m (repository_id, damage, checked_at, maintained_at) values ($1, $2, now(), now())
    on conflict (repository_id) do update
      set damage = excluded.damage, checked_at = now(), maintained_at = coalesce(m.maintained_at, now())`,
  countDamaged: "select count(*)::int as damaged from repository_maintenance where damage <> '{}'",
});

export type MaintenanceRow = MaintenanceRows["findMaintenance"];
export type BegunMaintenance = MaintenanceRows["beginMaintenance"];

export function findMaintenance(db: Queryable, repositoryId: string): Promise<MaintenanceRow | undefined> {
  return db.one(statements.findMaintenance, [repositoryId]);
}

export async function listMaintenance(
  db: Database,
  query: ListMaintenanceQuery,
): Promise<{ rows: MaintenanceRow[]; total: number }> {
  const wanted = query.state ?? null;
  const rows = await db.query(statements.listMaintenance, [wanted, query.per_page, offsetOf(query)]);
  return { rows, total: await countRows(db, listed, [wanted]) };
}

export async function insertRequest(tx: Queryable, repositoryId: string, prune: boolean): Promise<void> {
  await tx.query(statements.insertRequest, [repositoryId, prune]);
}

/**
 * Repositories due for maintenance, requested ones first: changed since the last time, which is an hour ago or more; not
 * checked for a week; failed a day ago.
 */
export async function findDue(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query(statements.findDue, [limit]);
  return rows.map((row) => row.id);
}

/** undefined when the repository is gone, or deleted. */
export function beginMaintenance(db: Queryable, repositoryId: string): Promise<BegunMaintenance | undefined> {
  return db.one(statements.beginMaintenance, [repositoryId]);
}

/** Blocks pushes for the next two minutes; returns whether one is still under way. */
export async function holdPushes(db: Queryable, repositoryId: string): Promise<{ busy: boolean }> {
  await db.query(statements.holdPushes, [repositoryId]);
  const row = await db.one(statements.findPush, [repositoryId]);
  return { busy: row?.busy ?? false };
}

export async function resumePushes(db: Queryable, repositoryId: string): Promise<void> {
  await db.query(statements.resumePushes, [repositoryId]);
}

export interface MaintenanceEnd {
  repositoryId: string;
  /** The completed request; a later one is kept. */
  requestedAt: Date | null;
  problem: string | null;
  /** null if nothing was checked. */
  damage: string[] | null;
  counts: { looseObjects: number; packs: number } | null;
  repackedAll: boolean;
  pruned: boolean;
}

export async function endMaintenance(db: Queryable, end: MaintenanceEnd): Promise<void> {
  await db.query(statements.endMaintenance, [
    end.repositoryId,
    end.requestedAt,
    end.problem,
    end.damage,
    end.counts?.looseObjects ?? null,
    end.counts?.packs ?? null,
    end.repackedAll,
    end.pruned,
  ]);
}

/** A request must be repeated. */
export async function recordGivenUp(db: Queryable, repositoryId: string, problem: string): Promise<void> {
  await db.query(statements.recordGivenUp, [repositoryId, problem]);
}

/** As if a check had found it now. */
export async function recordDamage(
  db: Queryable,
  repositoryId: string,
  damage: readonly string[],
): Promise<void> {
  await db.query(statements.recordDamage, [repositoryId, damage]);
}

export async function countDamaged(db: Queryable): Promise<number> {
  const row = await db.one(statements.countDamaged);
  return row?.damaged ?? 0;
}
