/** Runs of the merge queue, as it asks for them. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { QueueRunsRows } from "./queue-runs.rows.ts";

export const statements = defineStatements<QueueRunsRows>({
  readRuns:
    "select p.id, p.number, p.file, p.status, p.reason from pipelines p where p.id = any ($1::text[]) order by p.number",
  hasPassed: `
    select p.id from pipelines p where p.id = any ($1::text[])
      and (p.status = 'success' or p.status = 'skipped' and coalesce(p.reason, '') <> 'skip_ci') limit 1`,
  openAmong:
    "select p.id from pipelines p where p.id = any ($1::text[]) and p.finished_at is null order by p.number",
});

export type QueueRunRow = RowOf<typeof statements.readRuns>;

export function readRuns(db: Queryable, ids: readonly string[]): Promise<QueueRunRow[]> {
  return db.query(statements.readRuns, [ids]);
}

export async function hasPassed(db: Queryable, ids: readonly string[]): Promise<boolean> {
  return (await db.one(statements.hasPassed, [ids])) !== undefined;
}

export async function openAmong(db: Queryable, ids: readonly string[]): Promise<string[]> {
  return (await db.query(statements.openAmong, [ids])).map(({ id }) => id);
}
