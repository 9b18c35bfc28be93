/** Reads events for one follower: each exactly once, also when they become visible out of order (`gaps.ts`). */
import type { Database, Transaction } from "../db/database.ts";
import { lockFollower, moveFollower, nextTransaction, readEvents, type EventRow } from "./events.store.ts";
import { advance } from "./gaps.ts";

export interface FollowedBatch {
  follower: string;
  limit: number;
  /** Writes what follows from them, in the transaction that moves the follower. */
  write(tx: Transaction, events: readonly EventRow[]): Promise<void>;
}

/** Until there are no more events for now. */
export async function followAll(db: Database, batch: FollowedBatch): Promise<void> {
  while ((await followOnce(db, batch)) >= batch.limit);
}

/** The number of events that were read; at `limit` there may be more. */
export async function followOnce(db: Database, { follower, limit, write }: FollowedBatch): Promise<number> {
  return db.transaction(async (tx) => {
    const held = await lockFollower(tx, follower);
    if (!held) throw new Error(`there is no follower ${follower}`);
    const { cursor, oldest } = held;
    const events = await readEvents(tx, cursor, limit);
    if (events.length === 0 && cursor.gaps.length === 0) return 0;
    const read = events.map(({ position }) => position);
    const isAll = events.length < limit;
    const next = advance(cursor, { read, oldestBefore: oldest, nextAfter: await nextTransaction(tx), isAll });
    if (events.length > 0) await write(tx, events);
    await moveFollower(tx, follower, next);
    return events.length;
  });
}
