/** Rows of `run_traces`: traces that are still to be sent. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { RunSnapshot } from "../../pipelines/domain.ts";
import type { TracesRows } from "./traces.rows.ts";

interface Known {
  /** As `add` writes it. */
  claim: { run: RunSnapshot };
}

export const statements = defineStatements<TracesRows, Known>({
  add: `
    insert into run_traces (pipeline_id, sequence, run, due_at)
    select p.id, (given.run ->> 'sequence')::int, given.run, now() + make_interval(secs => $2::float8 / 1000)
    from jsonb_array_elements($1::jsonb) as given(run) join pipelines p on p.id = given.run ->> 'id'
    on conflict do nothing`,
  claim: `
    update run_traces t set due_at = now() + interval '2 minutes', tries = t.tries + 1
    where (t.pipeline_id, t.sequence) in (
      select d.pipeline_id, d.sequence from run_traces d where d.due_at <= now() order by d.due_at limit $1
      for update skip locked)
    returning t.pipeline_id, t.sequence, t.run, t.tries, t.created_at`,
  finish: "delete from run_traces where pipeline_id = $1 and sequence = $2",
  delay: `
    update run_traces set due_at = now() + make_interval(secs => $3::float8 / 1000)
    where pipeline_id = $1 and sequence = $2`,
  forgetAll: "delete from run_traces",
  measure: `
    select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
    from run_traces`,
  listDeliveries: `
    select d.id, d.webhook_id, d.event, d.action, d.status from (
      select e.position from events e
      where e.repository_id = $1 and e.kind = 'pipeline' and e.occurred_at >= $3 and e.subject #>> '{pipeline,id}' = $2
        and (e.subject #>> '{pipeline,sequence}')::int = $4
      order by e.position desc limit 10) of_run
    join webhook_deliveries d on d.event_position = of_run.position order by d.id limit 32`,
});

export type WaitingTrace = RowOf<typeof statements.claim>;
export type DeliveryRow = RowOf<typeof statements.listDeliveries>;

/** To be sent after so many milliseconds. Safe to call twice. */
export async function add(tx: Transaction, runs: readonly RunSnapshot[], inMs: number): Promise<void> {
  await tx.query(statements.add, [JSON.stringify(runs), inMs]);
}

/** Those that are due. Whoever dies with them leaves them to others after two minutes. */
export function claim(db: Queryable, limit: number): Promise<WaitingTrace[]> {
  return db.query(statements.claim, [limit]);
}

type Named = Pick<WaitingTrace, "pipeline_id" | "sequence">;

/** It was sent, or given up. */
export async function finish(db: Queryable, { pipeline_id: id, sequence }: Named): Promise<void> {
  await db.query(statements.finish, [id, sequence]);
}

export async function delay(db: Queryable, { pipeline_id: id, sequence }: Named, ms: number): Promise<void> {
  await db.query(statements.delay, [id, sequence, ms]);
}

/** Nobody wants them any more. */
export async function forgetAll(db: Queryable): Promise<void> {
  await db.query(statements.forgetAll);
}

/** How many wait, and for how many seconds the oldest has. */
export async function measure(db: Queryable): Promise<{ waiting: number; seconds: number }> {
  return (await db.one(statements.measure)) ?? { waiting: 0, seconds: 0 };
}

/** Deliveries to webhooks of what happened to the run in this sequence; some of them, where there are very many. */
export function listDeliveries(db: Queryable, run: RunSnapshot): Promise<DeliveryRow[]> {
  return db.query(statements.listDeliveries, [run.repository_id, run.id, run.created_at, run.sequence]);
}
