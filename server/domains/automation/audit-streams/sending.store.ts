/** Rows of `audit_streams`, as whoever sends sees them. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { SendingRows } from "./sending.rows.ts";
import type { ShownTarget } from "./target-settings.ts";

interface Known {
  /** As it was stored. */
  beginSending: { target: ShownTarget };
}

/** For so long nobody else begins, unless whoever sends says again that it does. */
const busy = "now() + interval '30 seconds'";

export type SendingRow = RowOf<typeof statements.beginSending>;

export const statements = defineStatements<SendingRows, Known>({
  beginSending: `
    update audit_streams s set busy_until = greatest(s.next_attempt_at, now()) + interval '30 seconds'
    from audit_streams t left join owners o on o.id = t.organization_id
    where s.id = $1 and t.id = s.id and s.enabled
    returning s.id, s.organization_id, o.name as organization, s.target, s.sealed_secrets, s.ca_certificate, s.sent_number, s.revision,
      s.failures, s.previous_until > now() as uses_previous,
      greatest(extract(epoch from s.next_attempt_at - now()) * 1000, 0)::float8 as wait_ms`,
  notePosition: `
    update audit_streams set sent_number = $3, sent_at = case when $3 > sent_number then clock_timestamp() else sent_at end,
      failures = 0, failing_since = null, last_error = null, next_attempt_at = null, busy_until = ${busy}
    where id = $1 and revision = $2 and sent_number <= $3 returning id`,
  noteFailure: `
    update audit_streams set failures = failures + 1, failing_since = coalesce(failing_since, clock_timestamp()), last_error = $3,
      next_attempt_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000),
      busy_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000) + interval '30 seconds'
    where id = $1 and revision = $2 returning id`,
  release: "update audit_streams set busy_until = null where id = $1 and revision = $2",
  claimDue: `
    update audit_streams set busy_until = ${busy} where id in (
      select s.id from audit_streams s join audit_heads h on h.chain = s.chain
      where s.enabled and h.number > s.sent_number and (s.busy_until is null or s.busy_until < now())
      order by s.busy_until nulls first limit $1 for update of s skip locked)
    returning id`,
  stop: `
    update audit_streams set enabled = false, disabled_reason = 'stopped', revision = revision + 1, busy_until = null,
      failures = 0, failing_since = null, last_error = null, next_attempt_at = null
    where id = $1 and enabled`,
  resume: `
    update audit_streams set enabled = true, disabled_reason = null, revision = revision + 1
    where id = $1 and disabled_reason = 'stopped'`,
  countStreams: `
    select count(*) filter (where enabled and failing_since is null)::int as working,
      count(*) filter (where enabled and failing_since is not null)::int as failing,
      count(*) filter (where not enabled)::int as paused from audit_streams`,
  measureLag: `
    select coalesce(sum(h.number - s.sent_number), 0)::float8 as entries,
      coalesce(extract(epoch from now() - min(l.entry_at)), 0)::float8 as seconds
    from audit_streams s join audit_heads h on h.chain = s.chain and h.number > s.sent_number
    left join lateral (
      select k.entry_at from audit_links k where k.chain = s.chain and k.number > s.sent_number order by k.number limit 1) l on true
    where s.enabled`,
});

/** Undefined where it is paused, or gone. `wait_ms`: until the target may be tried again. */
export function beginSending(db: Queryable, id: string): Promise<SendingRow | undefined> {
  return db.one(statements.beginSending, [id]);
}

interface Stream {
  id: string;
  revision: number;
}

/** Everything up to there is accepted. False where the stream has changed meanwhile; so for the following. */
export async function notePosition(db: Queryable, { id, revision }: Stream, sent: number): Promise<boolean> {
  return (await db.one(statements.notePosition, [id, revision, sent])) !== undefined;
}

/** `waitMs`: until the next attempt. */
export async function noteFailure(
  db: Queryable,
  { id, revision }: Stream,
  { error, waitMs }: { error: string; waitMs: number },
): Promise<boolean> {
  return (await db.one(statements.noteFailure, [id, revision, error, waitMs])) !== undefined;
}

/** Whoever finds that entries wait may begin. */
export async function release(db: Queryable, { id, revision }: Stream): Promise<void> {
  await db.query(statements.release, [id, revision]);
}

/** Streams for which entries wait, and that nobody has in hand. */
export async function claimDue(db: Queryable, limit: number): Promise<string[]> {
  return (await db.query(statements.claimDue, [limit])).map(({ id }) => id);
}

/** Pauses it. */
export async function stop(db: Queryable, id: string): Promise<void> {
  await db.query(statements.stop, [id]);
}

/** One that `stop` has paused. */
export async function resume(db: Queryable, id: string): Promise<void> {
  await db.query(statements.resume, [id]);
}

export async function countStreams(db: Queryable): Promise<SendingRows["countStreams"]> {
  return (await db.one(statements.countStreams)) ?? { working: 0, failing: 0, paused: 0 };
}

export async function measureLag(db: Queryable): Promise<{ entries: number; seconds: number }> {
  return (await db.one(statements.measureLag)) ?? { entries: 0, seconds: 0 };
}
