/** Rows of the logs of a run whose time is over: one line that says so takes the place of each. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { OldLogsRows } from "./old-logs.rows.ts";

export const statements = defineStatements<OldLogsRows>({
  listStreams: "select id from log_streams where pipeline_id = $1 and ended and next_offset > 0",
  removeChunks: "delete from log_chunks where stream_id = any($1::text[])",
  removeSegments: "delete from log_segments where stream_id = any($1::text[])",
  replace: `
    update log_streams set next_offset = octet_length($2::bytea), next_line = 1, total_bytes = octet_length($2::bytea),
      total_lines = 1, sha256 = encode(sha256($2::bytea), 'hex'), dropped_bytes = dropped_bytes + next_offset,
      dropped_lines = dropped_lines + next_line
    where id = any($1::text[])`,
  addLine: `
    insert into log_chunks (stream_id, start_offset, end_offset, first_line, time_runs, compressed, bytes)
    select s.id, 0, octet_length($2::bytea), 0, jsonb_build_array(jsonb_build_array(1, $3::float8)), false, $2
    from unnest($1::text[]) as s (id)`,
});

/** Of a run; only those that have ended and say anything. */
export async function listStreams(db: Queryable, pipelineId: string): Promise<string[]> {
  return (await db.query(statements.listStreams, [pipelineId])).map(({ id }) => id);
}

/** `line` ends with a line break. */
export async function replaceAll(
  tx: Transaction,
  ids: readonly string[],
  { line, timeMs }: { line: Buffer; timeMs: number },
): Promise<void> {
  await tx.query(statements.removeChunks, [ids]);
  await tx.query(statements.removeSegments, [ids]);
  await tx.query(statements.replace, [ids, line]);
  await tx.query(statements.addLine, [ids, line, timeMs]);
}
