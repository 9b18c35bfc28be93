/** All rows of `log_segments`, as they are compared with object storage. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SegmentListRows } from "./segment-list.rows.ts";

interface Known {
  /** None of the given keys is null. */
  findUnnamed: { key: string };
}

export const statements = defineStatements<SegmentListRows, Known>({
  listSegments: `
    select stream_id as "streamId", start_offset as start, end_offset as "end", object_key as key from log_segments
    where (stream_id, start_offset) > ($1, $2::bigint) order by stream_id, start_offset limit $3`,
  findUnnamed: `
    select k.key from unnest($1::text[]) as k(key)
    where not exists (select from log_segments s where s.stream_id = split_part(k.key, '/', 2) and s.object_key = k.key)`,
});

export type SegmentPlace = SegmentListRows["listSegments"];

/** The next ones behind a place. */
export function listSegments(
  db: Queryable,
  after: { streamId: string; start: number },
  max: number,
): Promise<SegmentPlace[]> {
  return db.query(statements.listSegments, [after.streamId, after.start, max]);
}

/** Those of the keys that have no row. */
export async function findUnnamed(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const rows = await db.query(statements.findUnnamed, [keys]);
  return rows.map(({ key }) => key);
}
