/** Rows of `push_mirrors` for those who configure them. */
import type { DivergedRef } from "@forgeline/schemas/push-mirrors/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { RemoteSettings } from "../mirrors/change.ts";
import { lastSyncSql, type LastSync } from "../mirrors/syncs.store.ts";
import type { PushMirrorsRows } from "./push-mirrors.rows.ts";

export type PushMirrorRow = RowOf<typeof statements.findMirror>;

interface Row {
  /** As the checks of the tables say it, and as `noteDiverged` writes it. */
  last_sync: LastSync | null;
  disabled_reason: "transferred" | "restored" | null;
  diverged: DivergedRef[];
}

interface Known {
  /** The same columns. */
  findMirror: Row;
  listMirrors: Row;
}

const columns = `m.id, m.repository_id, m.target_url as url, m.interval_minutes, m.cron, m.timezone, m.refs, m.prune, m.lfs, m.force, m.on_push,
  m.enabled, m.disabled_reason, m.username, m.sealed_password, m.sealed_ssh_key, m.public_key, m.host_key, m.diverged, m.diverged_count,
  m.failures, m.failing_since, m.not_before, m.last_success_at, m.created_at, m.updated_at, ${lastSyncSql("s.push_mirror_id = m.id")} as last_sync`;
const ofRepository = "from push_mirrors m where m.repository_id = $1";

export const statements = defineStatements<PushMirrorsRows, Known>({
  findMirror: `select ${columns} ${ofRepository} and m.id = $2`,
  listMirrors: `select ${columns} ${ofRepository} order by m.id limit $2 offset $3`,
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  lockMirror:
    "select id, updated_at from push_mirrors where repository_id = $1 and id = $2 for no key update",
  findRival: "select id from push_mirrors where repository_id = $1 and target_url = $2 and id <> $3",
  insertMirror: `
    insert into push_mirrors (id, repository_id, target_url, interval_minutes, cron, timezone, refs, prune, lfs, enabled, username,
      sealed_password, sealed_ssh_key, public_key, host_key, force, on_push, created_by, requested)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, case when $10 then 'first' end)`,
  updateMirror: `
    update push_mirrors set target_url = $3, interval_minutes = $4, cron = $5, timezone = $6, refs = $7, prune = $8, lfs = $9, enabled = $10,
      username = $11, sealed_password = $12, sealed_ssh_key = $13, public_key = $14, host_key = $15, force = $16, on_push = $17,
      disabled_reason = null, lfs_complete = lfs_complete and target_url = $3 and (lfs or not $9), not_before = null,
      requested = case when $10 then coalesce(nullif(requested, 'push'), $18) else requested end, updated_at = now()
    where id = $1 and repository_id = $2`,
  deleteMirror: "delete from push_mirrors where repository_id = $1 and id = $2 returning target_url",
  requestSync: `
    update push_mirrors set requested = coalesce(nullif(requested, 'push'), 'manual') where id = $1 returning target_url`,
  pauseTransferred: `
    update push_mirrors set enabled = false, disabled_reason = 'transferred', requested = null, updated_at = now()
    where repository_id = $1 and enabled returning id`,
  pauseRestored: `
    update push_mirrors m set enabled = false, disabled_reason = 'restored', requested = null, updated_at = now()
    from repository_names n where n.repository_id = m.repository_id and m.enabled and m.force
    returning m.id, m.repository_id, n.full_name as name, m.target_url as url`,
  countMirrors: `
    select count(*) filter (where enabled and failures = 0)::int as working, count(*) filter (where enabled and failures > 0 and diverged_count = 0)::int as failing,
      count(*) filter (where enabled and failures > 0 and diverged_count > 0)::int as diverged, count(*) filter (where not enabled)::int as paused
    from push_mirrors`,
});

export function findMirror(
  db: Queryable,
  repositoryId: string,
  id: string,
): Promise<PushMirrorRow | undefined> {
  return db.one(statements.findMirror, [repositoryId, id]);
}

/** Oldest first. */
export async function listMirrors(
  db: Queryable,
  repositoryId: string,
  page: { page: number; per_page: number },
): Promise<{ rows: PushMirrorRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listMirrors, [repositoryId, page.per_page, offsetOf(page)]),
    countMirrorsOf(db, repositoryId),
  ]);
  return { rows, total };
}

export function countMirrorsOf(db: Queryable, repositoryId: string): Promise<number> {
  return countRows(db, ofRepository, [repositoryId]);
}

/** Until the transaction ends, so that nobody passes the most; false where it is gone. */
export async function holdRepository(tx: Transaction, repositoryId: string): Promise<boolean> {
  return (await tx.one(statements.holdRepository, [repositoryId])) !== undefined;
}

/** Until the transaction ends. */
export function lockMirror(
  tx: Transaction,
  repositoryId: string,
  id: string,
): Promise<PushMirrorsRows["lockMirror"] | undefined> {
  return tx.one(statements.lockMirror, [repositoryId, id]);
}

/** Whether another one of the repository pushes to this target. */
export async function hasRival(
  tx: Transaction,
  { repositoryId, url, id }: Pick<StoredPushMirror, "repositoryId" | "url" | "id">,
): Promise<boolean> {
  return (await tx.one(statements.findRival, [repositoryId, url, id])) !== undefined;
}

export interface StoredPushMirror extends RemoteSettings {
  id: string;
  repositoryId: string;
  url: string;
  force: boolean;
  onPush: boolean;
}

const valuesOf = (mirror: StoredPushMirror) => [
  mirror.id,
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
  mirror.force,
  mirror.onPush,
];

/** With a request for its first sync, if it is enabled. */
export async function insertMirror(
  tx: Transaction,
  mirror: StoredPushMirror,
  createdBy: string | null,
): Promise<void> {
  await tx.query(statements.insertMirror, [...valuesOf(mirror), createdBy]);
}

/** `requested`: a sync that is wanted now, if it is enabled. */
export async function updateMirror(
  tx: Transaction,
  mirror: StoredPushMirror,
  requested: "manual" | null,
): Promise<void> {
  await tx.query(statements.updateMirror, [...valuesOf(mirror), requested]);
}

/** Its target; undefined where there was none. */
export async function deleteMirror(
  tx: Transaction,
  repositoryId: string,
  id: string,
): Promise<string | undefined> {
  return (await tx.one(statements.deleteMirror, [repositoryId, id]))?.target_url;
}

/** Its target; undefined where there is none. */
export async function requestSync(tx: Transaction, id: string): Promise<string | undefined> {
  return (await tx.one(statements.requestSync, [id]))?.target_url;
}

/** Of a repository that gets another owner; the ids of those that were enabled. */
export async function pauseTransferred(tx: Transaction, repositoryId: string): Promise<string[]> {
  return (await tx.query(statements.pauseTransferred, [repositoryId])).map(({ id }) => id);
}

/** Those that may overwrite what others changed there. */
export function pauseRestored(tx: Transaction): Promise<PushMirrorsRows["pauseRestored"][]> {
  return tx.query(statements.pauseRestored);
}

export async function countMirrors(db: Queryable): Promise<PushMirrorsRows["countMirrors"]> {
  return (await db.one(statements.countMirrors)) ?? { working: 0, failing: 0, diverged: 0, paused: 0 };
}
