/** Compares the segments of logs with object storage, as after a restore. To be called while nothing writes logs. */
import type { Database } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";

export interface LostLog {
  streamId: string;
  pipeline: string;
  bytes: number;
}

export interface LogObjectsCheck {
  /** Streams of which objects are missing; they are marked as incomplete, and a reader is told in their place. */
  findLost(): Promise<LostLog[]>;
  /** Removes objects that no row names; how many. */
  removeUnnamed(): Promise<number>;
}

const batch = 500;

interface SegmentRow {
  streamId: string;
  start: number;
  end: number;
  key: string;
}

export function createLogObjectsCheck({
  db,
  objects,
}: {
  db: Database;
  objects: ObjectStore;
}): LogObjectsCheck {
  async function* segments(): AsyncGenerator<SegmentRow> {
    let after = { streamId: "", start: -1 };
    for (;;) {
      const rows = await db.query<SegmentRow>(
        `select stream_id as "streamId", start_offset as start, end_offset as "end", object_key as key from log_segments
         where (stream_id, start_offset) > ($1, $2::bigint) order by stream_id, start_offset limit $3`,
        [after.streamId, after.start, batch],
      );
      yield* rows;
      const last = rows.at(-1);
      if (!last) return;
      after = last;
    }
  }

  async function unnamed(keys: readonly string[]): Promise<string[]> {
    const rows = await db.query<{ key: string }>(
      `select k.key from unnest($1::text[]) as k(key)
       where not exists (select from log_segments s where s.stream_id = split_part(k.key, '/', 2) and s.object_key = k.key)`,
      [keys],
    );
    return rows.map(({ key }) => key);
  }

  return {
    async findLost() {
      const lost = new Map<string, number>();
      for await (const { streamId, start, end, key } of segments())
        if (!(await objects.head(key))) lost.set(streamId, (lost.get(streamId) ?? 0) + end - start);
      const found: LostLog[] = [];
      for (const [streamId, bytes] of lost) {
        const pipeline = await markIncomplete(db, streamId);
        found.push({ streamId, pipeline, bytes });
      }
      return found;
    },
    async removeUnnamed() {
      let removed = 0;
      let keys: string[] = [];
      const removeSome = async () => {
        for (const key of await unnamed(keys)) {
          await objects.delete(key);
          removed += 1;
        }
        keys = [];
      };
      for await (const { key } of objects.list("logs/")) if (keys.push(key) >= batch) await removeSome();
      await removeSome();
      return removed;
    },
  };
}

/** The run to which it belongs, as `owner/repository #number`. */
async function markIncomplete(db: Database, streamId: string): Promise<string> {
  await db.query("update log_streams set complete = false where id = $1", [streamId]);
  const row = await db.one<{ pipeline: string }>(
    `select o.name || '/' || r.name || ' #' || p.number as pipeline
     from log_streams s join pipelines p on p.id = s.pipeline_id
       join repositories r on r.id = p.repository_id join owners o on o.id = r.owner_id
     where s.id = $1`,
    [streamId],
  );
  return row?.pipeline ?? streamId;
}
