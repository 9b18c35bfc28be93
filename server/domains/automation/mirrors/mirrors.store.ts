/** Rows of `mirrors` for those who configure them. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { lastSyncSql, type LastSync } from "./syncs.store.ts";
import type { RemoteSettings } from "./change.ts";
import type { MirrorsRows } from "./mirrors.rows.ts";

export type MirrorRow = RowOf<typeof statements.findMirror>;

interface Known {
  /** As the checks of the tables say it. */
  findMirror: { last_sync: LastSync | null; disabled_reason: "transferred" | null };
}

const columns = `m.id, m.repository_id, m.source_url as url, m.interval_minutes, m.cron, m.timezone, m.refs, m.prune, m.lfs, m.enabled,
  m.disabled_reason, m.username, m.sealed_password, m.sealed_ssh_key, m.public_key, m.host_key, m.failures, m.failing_since,
  m.not_before, m.requested, m.last_success_at, m.created_at, m.updated_at`;

export const statements = defineStatements<MirrorsRows, Known>({
  findMirror: `
    select ${columns}, ${lastSyncSql("s.mirror_id = m.id")} as last_sync
    from mirrors m where m.repository_id = $1`,
  lockMirror: `select ${columns} from mirrors m where m.repository_id = $1 for no key update`,
  insertMirror: `
    insert into mirrors (repository_id, source_url, interval_minutes, cron, timezone, refs, prune, lfs, enabled, username, sealed_password,
      sealed_ssh_key, public_key, host_key, id, replaces, created_by, requested)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, case when $9 then 'first' end)`,
  updateMirror: `
    update mirrors set source_url = $2, interval_minutes = $3, cron = $4, timezone = $5, refs = $6, prune = $7, lfs = $8, enabled = $9,
      username = $10, sealed_password = $11, sealed_ssh_key = $12, public_key = $13, host_key = $14, disabled_reason = null,
      lfs_complete = lfs_complete and (lfs or not $8), not_before = null,
      requested = case when $9 then coalesce(requested, $15) else requested end, updated_at = now()
    where repository_id = $1`,
  deleteMirror: "delete from mirrors where repository_id = $1 returning source_url",
  requestSync: `
    update mirrors set requested = coalesce(requested, 'manual') where repository_id = $1 returning source_url`,
  pauseTransferred: `
    update mirrors set enabled = false, disabled_reason = 'transferred', updated_at = now()
    where repository_id = $1 and enabled returning id`,
  listRepositories:
    "select repository_id from mirrors where repository_id > $1 order by repository_id limit $2",
  findSchedule: `
    select m.interval_minutes, m.cron, m.timezone, m.enabled, m.requested is not null as requested
    from mirrors m where m.repository_id = $1`,
  countMirrors: `
    select count(*) filter (where enabled and failures = 0)::int as working, count(*) filter (where enabled and failures > 0)::int as failing,
      count(*) filter (where not enabled)::int as paused from mirrors`,
});

export function findMirror(db: Queryable, repositoryId: string): Promise<MirrorRow | undefined> {
  return db.one(statements.findMirror, [repositoryId]);
}

export type LockedMirror = RowOf<typeof statements.lockMirror>;

/** Until the transaction ends. */
export function lockMirror(tx: Transaction, repositoryId: string): Promise<LockedMirror | undefined> {
  return tx.one(statements.lockMirror, [repositoryId]);
}

export interface StoredMirror extends RemoteSettings {
  repositoryId: string;
  url: string;
}

const valuesOf = (mirror: StoredMirror) => [
  mirror.repositoryId,
  mirror.url,
  mirror.intervalMinutes,
  mirror.cron,
  mirror.timezone,
  mirror.refs,
  mirror.prune,
  mirror.lfs,
  mirror.enabled,
  mirror.username,
  mirror.sealedPassword,
  mirror.sealedSshKey,
  mirror.publicKey,
  mirror.hostKey,
];

/** With a request for its first sync, if it is enabled. */
export async function insertMirror(
  tx: Transaction,
  mirror: StoredMirror & { id: string; replaces: boolean; createdBy: string | null },
): Promise<void> {
  const { id, replaces, createdBy } = mirror;
  await tx.query(statements.insertMirror, [...valuesOf(mirror), id, replaces, createdBy]);
}

/** `requested`: a sync that is wanted now, if it is enabled. */
export async function updateMirror(
  tx: Transaction,
  mirror: StoredMirror,
  requested: "manual" | null,
): Promise<void> {
  await tx.query(statements.updateMirror, [...valuesOf(mirror), requested]);
}

/** Its source; undefined where there was none. */
export async function deleteMirror(tx: Transaction, repositoryId: string): Promise<string | undefined> {
  return (await tx.one(statements.deleteMirror, [repositoryId]))?.source_url;
}

/** Its source; undefined where there is none. */
export async function requestSync(tx: Transaction, repositoryId: string): Promise<string | undefined> {
  return (await tx.one(statements.requestSync, [repositoryId]))?.source_url;
}

/** Of a repository that gets another owner; false where there is none that is enabled. */
export async function pauseTransferred(tx: Transaction, repositoryId: string): Promise<boolean> {
  return (await tx.one(statements.pauseTransferred, [repositoryId])) !== undefined;
}

/** Repositories with a mirror, after one, by id. */
export async function listRepositories(db: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await db.query(statements.listRepositories, [after, limit]);
  return rows.map(({ repository_id: id }) => id);
}

export function findSchedule(
  db: Queryable,
  repositoryId: string,
): Promise<MirrorsRows["findSchedule"] | undefined> {
  return db.one(statements.findSchedule, [repositoryId]);
}

export async function countMirrors(db: Queryable): Promise<MirrorsRows["countMirrors"]> {
  return (await db.one(statements.countMirrors)) ?? { working: 0, failing: 0, paused: 0 };
}
