/** Compares the segments of logs with object storage, as after a restore. To be called while nothing writes logs. */
import type { Database } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { findUnnamed, listSegments, type SegmentPlace } from "./segment-list.store.ts";
import { findRunName, setIncomplete } from "./stream.store.ts";

export interface LostLog {
  streamId: string;
  pipeline: string;
  bytes: number;
}

export interface LogObjectsCheck {
  /** Streams with missing objects; they are marked as incomplete, and readers see a message in their place. */
  findLost(): Promise<LostLog[]>;
  /** Removes objects without a row; returns how many. */
  removeUnnamed(): Promise<number>;
}

const batch = 500;

export function createLogObjectsCheck({
  db,
  objects,
}: {
  db: Database;
  objects: ObjectStore;
}): LogObjectsCheck {
  async function* segments(): AsyncGenerator<SegmentPlace> {
    let after = { streamId: "", start: -1 };
    for (;;) {
      const rows = await listSegments(db, after, batch);
      yield* rows;
      const last = rows.at(-1);
      if (!last) return;
      after = last;
    }
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
        for (const key of await findUnnamed(db, keys)) {
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
  await setIncomplete(db, streamId);
  return (await findRunName(db, streamId)) ?? streamId;
}
