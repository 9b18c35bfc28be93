/** Rows of `log_chunks`, the open tail of streams: the group write, and reading frames back. */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { linesBegun } from "./frame-bytes.ts";
import { eventCondition } from "./stream-states.ts";
import type { ChunkRows } from "./chunk.rows.ts";

export const statements = defineStatements<ChunkRows>({
  writeChunks: `
    with input as (
      select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bool[],
                           $7::int[], $8::int[], $9::int[])
        as i(stream_id, start_offset, end_offset, first_line, time_runs, compressed, at, length, lines)
    ), heads as (
      select stream_id, min(start_offset) as first, max(end_offset) as last, sum(lines) as lines
        from input group by stream_id
    ), moved as (
      update log_streams s
         set next_offset = h.last, next_line = s.next_line + h.lines, last_output_at = now()
        from heads h
       where s.id = h.stream_id and s.next_offset = h.first and ${eventCondition("append")}
      returning s.id
    ), written as (
      insert into log_chunks (stream_id, start_offset, end_offset, first_line, time_runs, compressed, bytes)
      select i.stream_id, i.start_offset, i.end_offset, i.first_line, i.time_runs::jsonb, i.compressed,
             substring($10::bytea from i.at for i.length)
        from input i join moved on moved.id = i.stream_id
    )
    select id from moved`,
  readChunks: `
    select start_offset, end_offset, first_line, time_runs, compressed, bytes
      from (select *, sum(octet_length(bytes)) over (order by start_offset) as upto
              from (select * from log_chunks
                     where stream_id = $1 and start_offset > $2::bigint - 65537 and end_offset > $2
                     order by start_offset limit 512) tail) sized
     where upto - octet_length(bytes) < $3
     order by start_offset`,
  findMovable: `
    select c.stream_id from log_chunks c join log_streams s on s.id = c.stream_id
     group by c.stream_id, s.ended having s.ended or sum(octet_length(c.bytes)) >= $1`,
  readTail: `
    select min(c.start_offset) as first, sum(octet_length(c.bytes))::bigint as stored, s.ended
      from log_streams s left join log_chunks c on c.stream_id = s.id where s.id = $1 group by s.id`,
});

export interface AcceptedFrame {
  streamId: string;
  frame: LogFrame;
}

/**
 * Writes frames of many streams in one statement, all of a stream or none of it: a stream whose durable end is
 * not where its first frame starts (another server was faster), or that has ended, is left out. Frames of one
 * stream must adjoin and be in order. Returns the ids of the streams that were written.
 */
export async function writeChunks(db: Queryable, accepted: readonly AcceptedFrame[]): Promise<Set<string>> {
  // All payloads travel as one binary parameter: an array of bytea would go as hexadecimal text.
  const bytes = Buffer.concat(accepted.map((a) => a.frame.payload));
  let position = 1;
  const positions = accepted.map((a) => {
    const at = position;
    position += a.frame.payload.length;
    return at;
  });
  const rows = await db.query(statements.writeChunks, [
    accepted.map((a) => a.streamId),
    accepted.map((a) => a.frame.offset),
    accepted.map((a) => a.frame.offset + a.frame.rawLength),
    accepted.map((a) => a.frame.firstLine),
    accepted.map((a) => JSON.stringify(a.frame.timeRuns.map((run) => [run.lines, run.timeMs]))),
    accepted.map((a) => a.frame.compressed),
    positions,
    accepted.map((a) => a.frame.payload.length),
    accepted.map((a) => linesBegun(a.frame.timeRuns)),
    bytes,
  ]);
  return new Set(rows.map((row) => row.id));
}

/** Frames from the chunk that holds `offset` on, in order, about `maxBytes` stored bytes of them; [] if none. */
export async function readChunks(
  db: Queryable,
  streamId: string,
  { offset, maxBytes }: { offset: number; maxBytes: number },
): Promise<LogFrame[]> {
  // No chunk is longer than 64 KiB, so the one that holds the offset starts at most that far before it.
  const rows = await db.query(statements.readChunks, [streamId, offset, maxBytes]);
  return rows.map((row) => ({
    channel: 0,
    offset: row.start_offset,
    firstLine: row.first_line,
    rawLength: row.end_offset - row.start_offset,
    compressed: row.compressed,
    timeRuns: row.time_runs.map(([lines, timeMs]) => ({ lines, timeMs })),
    payload: row.bytes,
  }));
}

/** Streams that have ended, or have so many stored bytes in chunks. */
export async function findMovable(db: Queryable, bytes: number): Promise<string[]> {
  const rows = await db.query(statements.findMovable, [bytes]);
  return rows.map((row) => row.stream_id);
}

/** Where the chunks of a stream begin and how much they hold; nulls where it has none. */
export function readTail(
  db: Queryable,
  streamId: string,
): Promise<{ first: number | null; stored: number | null; ended: boolean } | undefined> {
  return db.one(statements.readTail, [streamId]);
}
