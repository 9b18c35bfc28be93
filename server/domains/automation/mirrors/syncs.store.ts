/** Rows of `mirror_syncs`, and what syncs write into the row of their mirror. */
import type { RefChange, SyncCause, SyncProgress, SyncStatus } from "@forgeline/schemas/mirrors/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { storableJson } from "../../../platform/storable-text.ts";
import { syncSql } from "./sync-states.ts";
import type { SyncsRows } from "./syncs.rows.ts";

const { from, to } = syncSql;
const keptDays = 30;
/** Of one mirror: each push can begin one. */
const maxKept = 5_000;

export type SyncRow = RowOf<typeof statements.listSyncs>;
export type DueMirror = RowOf<typeof statements.lockDue>;

/** As `SyncRow`, in JSON. */
export interface LastSync {
  id: string;
  status: SyncStatus;
  cause: SyncCause;
  progress: SyncProgress | null;
  changed_refs: number;
  bytes: number;
  lfs_count: number;
  error: string | null;
  started_at: string;
  finished_at: string | null;
}

/** The newest sync, as part of the row of its mirror; `condition` is about the sync `s`. */
export function lastSyncSql(condition: string): string {
  return `(
      select jsonb_build_object('id', s.id, 'status', s.status, 'cause', s.cause, 'progress', s.progress, 'changed_refs', s.changed_refs,
        'bytes', s.bytes, 'lfs_count', s.lfs_count, 'error', s.error, 'started_at', s.started_at, 'finished_at', s.finished_at)
      from mirror_syncs s where ${condition} order by s.id desc limit 1)`;
}

interface Known {
  /** What `succeedSync` writes. */
  listSyncs: { refs: RefChange[] };
}

/** Of a mirror of either kind, whose ids differ. */
const ofMirror = "(s.mirror_id = $1 or s.push_mirror_id = $1)";
const fromHere = `from mirror_syncs s where ${ofMirror}`;

export const statements = defineStatements<SyncsRows, Known>({
  lockDue: `
    select m.id, m.repository_id, m.source_url as url, m.interval_minutes, m.cron, m.timezone, m.refs, m.prune, m.lfs, m.lfs_complete, m.username,
      m.sealed_password, m.sealed_ssh_key, m.host_key, m.replaces, m.requested, m.failures,
      (m.requested is null and (not m.enabled or coalesce(m.not_before > now(), false))) as waits
    from mirrors m join repositories r on r.id = m.repository_id
    where m.repository_id = $1 and r.deleted_at is null and not r.archived for no key update of m`,
  clearRequest: "update mirrors set requested = null where id = $1",
  findRunning: `
    select s.id, s.work, s.seen_at < now() - $2 * interval '1 millisecond' as silent
    from mirror_syncs s where ${ofMirror} and s.status = 'running'`,
  insertSync: `
    insert into mirror_syncs (id, mirror_id, push_mirror_id, cause, work, progress) values ($1, $2, $3, $4, $5, 'connecting')`,
  noteProgress:
    "update mirror_syncs set progress = $2, bytes = $3, lfs_count = $4, seen_at = now() where id = $1 and status = 'running'",
  notePlan: "update mirror_syncs set changed_refs = $2, refs = $3 where id = $1 and status = 'running'",
  // A sync that was cut off after the refs had moved finds nothing to do when it is continued: what it had planned is what it did.
  succeedSync: `
    update mirror_syncs set status = ${to("succeed")}, finished_at = now(), progress = null,
      changed_refs = case when $2::int = 0 then changed_refs else $2 end, refs = case when $2::int = 0 then refs else $5 end,
      bytes = greatest(bytes, $3), lfs_count = greatest(lfs_count, $4), notes = $6 where id = $1 and status in (${from("succeed")}) returning id`,
  failSync: `
    update mirror_syncs set status = ${to("fail")}, finished_at = now(), progress = null, error = $2, changed_refs = $3,
      bytes = greatest(bytes, $4), lfs_count = greatest(lfs_count, $5), refs = $6, notes = $7
    where id = $1 and status in (${from("fail")}) returning id`,
  stopSync: `
    update mirror_syncs set status = ${to("stop")}, finished_at = now(), progress = null, error = $2
    where id = $1 and status in (${from("stop")})`,
  stopOfMirror: `
    update mirror_syncs s set status = ${to("stop")}, finished_at = now(), progress = null, error = $2
    where ${ofMirror} and s.status in (${from("stop")})`,
  stopOfRepository: `
    update mirror_syncs s set status = ${to("stop")}, finished_at = now(), progress = null, error = $2
    from mirrors m where m.id = s.mirror_id and m.repository_id = $1 and s.status in (${from("stop")})`,
  noteSuccess: `
    update mirrors m set failures = 0, failing_since = null, alerted_at = null, not_before = null, last_success_at = now(), replaces = false,
      lfs_complete = m.lfs_complete or m.lfs,
      host_key = case when m.source_url = $3 then coalesce(m.host_key, $2) else m.host_key end
    from mirrors before where m.id = $1 and before.id = m.id returning before.alerted_at, before.failing_since`,
  noteFailure: `
    update mirrors set failures = failures + 1, failing_since = coalesce(failing_since, now()),
      not_before = now() + $2 * interval '1 millisecond',
      host_key = case when source_url = $4 then coalesce(host_key, $3) else host_key end
    where id = $1 returning failures, failing_since, alerted_at`,
  noteAlert: "update mirrors set alerted_at = now() where id = $1",
  listSyncs: `
    select s.id, s.status, s.cause, s.progress, s.changed_refs, s.bytes, s.lfs_count, s.refs, s.notes, s.error, s.started_at, s.finished_at
    ${fromHere} order by s.id desc limit $2 offset $3`,
  deleteOldSyncs: `
    delete from mirror_syncs s where s.finished_at < now() - interval '${keptDays} days' and exists (
      select from mirror_syncs later where (later.mirror_id = s.mirror_id or later.push_mirror_id = s.push_mirror_id) and later.id > s.id)
    returning s.id`,
  deleteTooMany: `
    delete from mirror_syncs s using (
      select id, row_number() over (partition by coalesce(mirror_id, push_mirror_id) order by id desc) as place from mirror_syncs) o
    where o.id = s.id and o.place > $1 and s.finished_at is not null returning s.id`,
});

/** Until the transaction ends; undefined where nothing is to be synced: no mirror, deleted, archived. */
export function lockDue(tx: Transaction, repositoryId: string): Promise<DueMirror | undefined> {
  return tx.one(statements.lockDue, [repositoryId]);
}

export async function clearRequest(tx: Transaction, mirrorId: string): Promise<void> {
  await tx.query(statements.clearRequest, [mirrorId]);
}

/** `silent`: whoever does it has not been heard of for that long. */
export function findRunning(
  tx: Transaction,
  mirrorId: string,
  silentMs: number,
): Promise<SyncsRows["findRunning"] | undefined> {
  return tx.one(statements.findRunning, [mirrorId, silentMs]);
}

export async function insertSync(
  tx: Transaction,
  sync: { id: string; mirrorId: string | null; pushMirrorId: string | null; cause: SyncCause; work: string },
): Promise<void> {
  const { id, mirrorId, pushMirrorId, cause, work } = sync;
  await tx.query(statements.insertSync, [id, mirrorId, pushMirrorId, cause, work]);
}

export interface Progress {
  step: NonNullable<SyncRow["progress"]>;
  bytes: number;
  lfsObjects: number;
}

export async function noteProgress(db: Queryable, syncId: string, progress: Progress): Promise<void> {
  await db.query(statements.noteProgress, [syncId, progress.step, progress.bytes, progress.lfsObjects]);
}

/** What is about to change. */
export async function notePlan(
  db: Queryable,
  syncId: string,
  { changedRefs, refs }: Pick<Outcome, "changedRefs" | "refs">,
): Promise<void> {
  await db.query(statements.notePlan, [syncId, changedRefs, storableJson(refs)]);
}

export interface Outcome {
  changedRefs: number;
  bytes: number;
  lfsObjects: number;
  /** The first of them. */
  refs: readonly RefChange[];
  notes: readonly string[];
}

const valuesOf = ({ changedRefs, bytes, lfsObjects, refs, notes }: Outcome) => [
  changedRefs,
  bytes,
  lfsObjects,
  storableJson(refs),
  notes,
];

/** False when it has ended already. */
export async function succeedSync(tx: Transaction, syncId: string, outcome: Outcome): Promise<boolean> {
  return (await tx.one(statements.succeedSync, [syncId, ...valuesOf(outcome)])) !== undefined;
}

/** False when it has ended already. */
export async function failSync(
  tx: Transaction,
  syncId: string,
  { outcome, error }: { outcome: Outcome; error: string },
): Promise<boolean> {
  return (await tx.one(statements.failSync, [syncId, error, ...valuesOf(outcome)])) !== undefined;
}

export async function stopSync(tx: Transaction, syncId: string, error: string): Promise<void> {
  await tx.query(statements.stopSync, [syncId, error]);
}

/** Of a mirror of either kind. */
export async function stopOfMirror(db: Queryable, mirrorId: string, error: string): Promise<void> {
  await db.query(statements.stopOfMirror, [mirrorId, error]);
}

export async function stopOfRepository(db: Queryable, repositoryId: string, error: string): Promise<void> {
  await db.query(statements.stopOfRepository, [repositoryId, error]);
}

/** The host key that a source has shown. It is pinned unless there is one, or the mirror follows another source by now. */
export interface ShownKey {
  sourceUrl: string;
  hostKey: string | null;
}

/** What was known of the outage that has ended with it, if there was one. */
export function noteSuccess(
  tx: Transaction,
  mirrorId: string,
  { hostKey, sourceUrl }: ShownKey,
): Promise<SyncsRows["noteSuccess"] | undefined> {
  return tx.one(statements.noteSuccess, [mirrorId, hostKey, sourceUrl]);
}

/** `waitMs`: until then no scheduled sync. */
export function noteFailure(
  tx: Transaction,
  mirrorId: string,
  { waitMs, hostKey, sourceUrl }: ShownKey & { waitMs: number },
): Promise<SyncsRows["noteFailure"] | undefined> {
  return tx.one(statements.noteFailure, [mirrorId, waitMs, hostKey, sourceUrl]);
}

export async function noteAlert(tx: Transaction, mirrorId: string): Promise<void> {
  await tx.query(statements.noteAlert, [mirrorId]);
}

/** Of a mirror of either kind. */
export async function listSyncs(
  db: Queryable,
  mirrorId: string,
  page: { page: number; per_page: number },
): Promise<{ rows: SyncRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listSyncs, [mirrorId, page.per_page, offsetOf(page)]),
    countRows(db, fromHere, [mirrorId]),
  ]);
  return { rows, total };
}

/** All but the last one of each mirror; how many. */
export async function deleteOldSyncs(db: Queryable): Promise<number> {
  const old = await db.query(statements.deleteOldSyncs);
  const tooMany = await db.query(statements.deleteTooMany, [maxKept]);
  return old.length + tooMany.length;
}
