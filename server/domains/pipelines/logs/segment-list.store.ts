/** All rows of `log_segments`, as they are compared with object storage. */
import type { Queryable } from "../../../platform/db/database.ts";

export interface SegmentPlace {
  streamId: string;
  start: number;
  end: number;
  key: string;
}

/** The next ones behind a place. */
export function listSegments(
  db: Queryable,
  after: { streamId: string; start: number },
  max: number,
): Promise<SegmentPlace[]> {
  return db.query<SegmentPlace>(
    `select stream_id as "streamId", start_offset as start, end_offset as "end", object_key as key from log_segments
     where (stream_id, start_offset) > ($1, $2::bigint) order by stream_id, start_offset limit $3`,
    [after.streamId, after.start, max],
  );
}

/** Of these keys of objects those that no row names. */
export async function findUnnamed(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ key: string }>(
    `select k.key from unnest($1::text[]) as k(key)
     where not exists (select from log_segments s where s.stream_id = split_part(k.key, '/', 2) and s.object_key = k.key)`,
    [keys],
  );
  return rows.map(({ key }) => key);
}
