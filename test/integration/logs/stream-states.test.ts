/** Every event in every state of a log stream, by what the runner hub and repairs call, in the real database. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogObjectsCheck } from "@forgeline/server/domains/pipelines/logs/objects-check.ts";
import { streamStates, streamStatusOf } from "@forgeline/server/domains/pipelines/logs/stream-states.ts";
import { endOf, frameOf } from "../../support/log-frames.ts";
import { movesOf, walkStates } from "../../support/walk-states.ts";
import { insertRun, logFixture, openStreams, type LogFixture } from "./fixture.ts";

interface Subject {
  id: string;
  attemptId: string;
}

let fixture: LogFixture;
let server: ReturnType<LogFixture["server"]>;

beforeAll(async () => {
  fixture = await logFixture();
  server = fixture.server();
});
afterAll(() => fixture.close());

interface Row {
  next_offset: number;
  ended: boolean;
  complete: boolean | null;
}

async function rowOf({ id }: Subject): Promise<Row> {
  const row = await fixture.db.one<Row>(
    "select next_offset, ended, complete from log_streams where id = $1",
    [id],
  );
  if (!row) throw new Error("the stream is gone");
  return row;
}

const text = (length: number) => Buffer.alloc(length, "line\n");

async function make(): Promise<Subject> {
  const run = await insertRun(fixture.db);
  const [stream] = await openStreams(server, run);
  if (!stream) throw new Error("no stream");
  return { id: stream.id, attemptId: run.attemptId };
}

async function append(stream: Subject): Promise<void> {
  const { next_offset: at } = await rowOf(stream);
  await server.logs.ingest.append(stream.id, frameOf(text(at + 5), at, at + 5));
}

async function end(stream: Subject, droppedBytes: number): Promise<void> {
  const { next_offset: length } = await rowOf(stream);
  await server.logs.ingest.eof(stream.id, { ...endOf(text(length)), droppedBytes });
}

/** Names an object that is not there. */
async function lose({ id }: Subject): Promise<void> {
  await fixture.db.query(
    `insert into log_segments (stream_id, start_offset, end_offset, first_line, next_line, object_key, stored_bytes, index)
     values ($1, 0, 5, 0, 1, $2, 5, '[]') on conflict do nothing`,
    [id, `logs/${id}/gone`],
  );
  await createLogObjectsCheck(fixture).findLost();
}

test("each event leads where the table says, and is refused where the table has none", async () => {
  const walked = await walkStates({
    table: streamStates,
    make,
    events: {
      append,
      end: (stream: Subject) => end(stream, 0),
      endCut: (stream: Subject) => end(stream, 5),
      close: ({ attemptId }: Subject) => server.logs.ingest.closeIncomplete(attemptId),
      lose,
    },
    async look(stream: Subject) {
      const row = await rowOf(stream);
      return { ...row, state: streamStatusOf(row) };
    },
  });
  expect(walked).toEqual(movesOf(streamStates));
});
