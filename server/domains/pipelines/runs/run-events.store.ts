/** A run as its events keep it. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { RunEventsRows } from "./run-events.rows.ts";

export const statements = defineStatements<RunEventsRows>({
  snapshotRun: `
    select p.id, p.number, p.repository_id, p.status, p.reason, p.message, p.warnings, p.file, p.name, p.source, p.ref, p.sha, p.merge_request_number,
      p.event ->> 'commitMessage' as commit_message, p.event ->> 'commitAuthor' as commit_author, p.triggered_by as user_id,
      u.username, p.schedule_id, p.event ->> 'actor' as actor, p.event #>> '{schedule,name}' as schedule_name, p.sequence, p.created_at, p.updated_at, p.started_at, p.finished_at
    from pipelines p left join users u on u.id = p.triggered_by where p.id = $1`,
});

export type RunSnapshotRow = RowOf<typeof statements.snapshotRun>;

export function snapshotRun(tx: Transaction, pipelineId: string): Promise<RunSnapshotRow | undefined> {
  return tx.one(statements.snapshotRun, [pipelineId]);
}
