/** When a run was begun again, what started it, and what it has started. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { TracedRunRows } from "./traced-run.rows.ts";

export const statements = defineStatements<TracedRunRows>({
  listReopenings: `
    select at from transitions
    where pipeline_id = $1 and node = 'pipeline' and old_status in ('success', 'failed', 'error', 'cancelled', 'skipped')
    order by id`,
  findStarter: `
    select parent_id as "pipelineId", parent_sequence as sequence, parent_attempt_id as "attemptId" from pipelines
    where id = $1 and parent_id is not null and parent_sequence is not null and parent_attempt_id is not null`,
  listStarted: `
    select id as "pipelineId", parent_attempt_id as "attemptId" from pipelines
    where parent_id = $1 and parent_attempt_id is not null order by created_at, id`,
});

/** The first one begins its second sequence, and so on. */
export async function listReopenings(db: Queryable, pipelineId: string): Promise<Date[]> {
  return (await db.query(statements.listReopenings, [pipelineId])).map(({ at }) => at);
}

/** An attempt of a job, with its run. */
export type Starter = TracedRunRows["findStarter"];

/** What started the run; undefined if no job did, and when that job's run is gone. */
export function findStarter(db: Queryable, pipelineId: string): Promise<Starter | undefined> {
  return db.one(statements.findStarter, [pipelineId]);
}

/** Runs that jobs of this one have started, each with the attempt. */
export function listStarted(db: Queryable, pipelineId: string): Promise<TracedRunRows["listStarted"][]> {
  return db.query(statements.listStarted, [pipelineId]);
}
