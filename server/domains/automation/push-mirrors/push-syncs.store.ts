/** What syncs, and those who begin them, read and write in the rows of push mirrors. */
import type { DivergedRef } from "@forgeline/schemas/push-mirrors/resource.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { storableJson } from "../../../platform/storable-text.ts";
import type { PushSyncsRows } from "./push-syncs.rows.ts";

export type DuePushMirror = RowOf<typeof statements.lockDue>;

const keptKey = (shown: string, url: string) =>
  `case when m.target_url = ${url} then coalesce(m.host_key, ${shown}) else m.host_key end`;

export const statements = defineStatements<PushSyncsRows>({
  lockDue: `
    select m.id, m.repository_id, m.target_url as url, m.refs, m.prune, m.lfs, m.lfs_complete, m.force, m.username, m.sealed_password,
      m.sealed_ssh_key, m.host_key, m.requested, m.failures,
      (coalesce(m.requested, 'push') = 'push' and (not m.enabled or coalesce(m.not_before > now(), false))) as waits
    from push_mirrors m join repositories r on r.id = m.repository_id
    where m.id = $1 and r.deleted_at is null and not r.archived for no key update of m`,
  clearRequest: "update push_mirrors set requested = null where id = $1",
  noteSuccess: `
    update push_mirrors m set failures = 0, failing_since = null, alerted_at = null, not_before = null, last_success_at = now(),
      lfs_complete = m.lfs_complete or m.lfs, host_key = ${keptKey("$2", "$3")}
    from push_mirrors before where m.id = $1 and before.id = m.id returning before.alerted_at, before.failing_since`,
  noteFailure: `
    update push_mirrors m set failures = failures + 1, failing_since = coalesce(failing_since, now()),
      not_before = now() + $2 * interval '1 millisecond', host_key = ${keptKey("$3", "$4")}
    where m.id = $1 returning failures, failing_since, alerted_at`,
  noteAlert: "update push_mirrors set alerted_at = now() where id = $1",
  noteDiverged: "update push_mirrors set diverged = $2, diverged_count = $3 where id = $1",
  listAfter: "select id, repository_id from push_mirrors where id > $1 order by id limit $2",
  findSchedule: `
    select m.interval_minutes, m.cron, m.timezone, m.enabled, m.requested is not null as requested from push_mirrors m where m.id = $1`,
  askForPushes: `
    with pushed as (
      select distinct repository_id from events where position = any ($1::bigint[]) and kind in ('push', 'tag')
    ), wanting as (
      select m.id from push_mirrors m join pushed p on p.repository_id = m.repository_id
      where m.enabled and m.on_push and m.requested is null order by m.id for no key update of m
    )
    update push_mirrors m set requested = 'push' from wanting w where m.id = w.id returning m.id, m.repository_id`,
  listDue: `
    select m.id, m.repository_id from push_mirrors m where m.failures > 0 and m.enabled and m.not_before <= now()
      and not exists (select from mirror_syncs s where s.push_mirror_id = m.id and s.status = 'running')
    order by m.not_before limit 1000`,
});

/** Until the transaction ends; undefined where nothing is to be pushed: no mirror, deleted, archived. */
export function lockDue(tx: Transaction, id: string): Promise<DuePushMirror | undefined> {
  return tx.one(statements.lockDue, [id]);
}

export async function clearRequest(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.clearRequest, [id]);
}

/** The host key that the target has shown. It is pinned unless there is one, or the mirror has another target by now. */
interface ShownKey {
  url: string;
  hostKey: string | null;
}

/** What was known of the outage that has ended with it, if there was one. */
export function noteSuccess(
  tx: Transaction,
  id: string,
  { hostKey, url }: ShownKey,
): Promise<PushSyncsRows["noteSuccess"] | undefined> {
  return tx.one(statements.noteSuccess, [id, hostKey, url]);
}

/** `waitMs`: until then only what somebody asks for; null: no wait. */
export function noteFailure(
  tx: Transaction,
  id: string,
  { waitMs, hostKey, url }: ShownKey & { waitMs: number | null },
): Promise<PushSyncsRows["noteFailure"] | undefined> {
  return tx.one(statements.noteFailure, [id, waitMs, hostKey, url]);
}

export async function noteAlert(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.noteAlert, [id]);
}

/** `refs` are the first of so many. */
export async function noteDiverged(
  tx: Transaction,
  id: string,
  { refs, count }: { refs: readonly DivergedRef[]; count: number },
): Promise<void> {
  await tx.query(statements.noteDiverged, [id, storableJson(refs), count]);
}

/** After one, by id. */
export function listAfter(
  db: Queryable,
  after: string,
  limit: number,
): Promise<PushSyncsRows["listAfter"][]> {
  return db.query(statements.listAfter, [after, limit]);
}

export function findSchedule(db: Queryable, id: string): Promise<PushSyncsRows["findSchedule"] | undefined> {
  return db.one(statements.findSchedule, [id]);
}

/** Those that push what these events tell of, and that nobody has asked to. */
export function askForPushes(
  tx: Transaction,
  positions: readonly number[],
): Promise<PushSyncsRows["askForPushes"][]> {
  return tx.query(statements.askForPushes, [positions]);
}

/** Whose wait after a failure is over, and that are not being synced. */
export function listDue(db: Queryable): Promise<PushSyncsRows["listDue"][]> {
  return db.query(statements.listDue);
}
