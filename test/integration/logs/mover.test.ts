/** Moving to object storage: readers see one stream while it happens, and two movers do it once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { segmentBytes } from "@forgeline/server/domains/pipelines/logs/mover.ts";
import { findPlaceOfLine } from "@forgeline/server/domains/pipelines/logs/segment.store.ts";
import { eventually } from "../../support/eventually.ts";
import { collect, endOf, frameOf, seeded } from "../../support/log-frames.ts";
import { insertRun, logFixture, openStreams, type LogFixture } from "./fixture.ts";

let fixture: LogFixture;
let one: ReturnType<LogFixture["server"]>;
let two: ReturnType<LogFixture["server"]>;

beforeAll(async () => {
  fixture = await logFixture();
  one = fixture.server();
  two = fixture.server();
});
afterAll(() => fixture.close());

const chunkBytes = 16 * 1024;

/** Bytes that do not compress, so that segments fill. */
function noise(seed: number, length: number): Buffer {
  const random = seeded(seed);
  return Buffer.from(Array.from({ length }, (_, i) => (i % 80 === 79 ? 10 : Math.floor(random() * 256))));
}

async function newStream(): Promise<string> {
  const [, step] = await openStreams(one, await insertRun(fixture.db));
  if (!step) throw new Error("no stream");
  return step.id;
}

async function count(table: "log_chunks" | "log_segments", streamId: string): Promise<number> {
  const text =
    table === "log_chunks"
      ? "select count(*) as n from log_chunks where stream_id = $1"
      : "select count(*) as n from log_segments where stream_id = $1";
  return (await fixture.db.one<{ n: number }>(text, [streamId]))?.n ?? 0;
}

describe("mover", () => {
  it("leaves each line to be found at its frame, however many a segment holds", async () => {
    const id = await newStream();
    const text = Buffer.alloc(40 * chunkBytes, "\n");
    for (let at = 0; at < text.length; at += chunkBytes)
      await one.logs.ingest.append(id, frameOf(text, at, at + chunkBytes));
    await one.logs.ingest.eof(id, endOf(text));
    await eventually(async () => (await count("log_chunks", id)) === 0);
    const last = text.length - 1;
    for (const line of [0, 100_000, last]) {
      const place = await findPlaceOfLine(fixture.db, id, line);
      const [frame] = await one.logs.reader.frames(id, place);
      expect(frame?.offset).toBe(place);
      expect(place).toBeLessThanOrEqual(line);
      expect(place + (frame?.rawLength ?? 0)).toBeGreaterThan(line);
    }
  });

  it("keeps readers whole while it moves, with two servers moving at once", async () => {
    const id = await newStream();
    const text = noise(7, 1_200_000);
    let written = 0;
    const readers = [one, two].map(async (server) => {
      let checked = 0;
      while (checked < text.length) {
        const end = written;
        for await (const part of server.logs.reader.bytes(id, checked, end)) {
          expect(part.equals(text.subarray(checked, checked + part.length))).toBe(true);
          checked += part.length;
        }
        await server.logs.mover.sweep();
      }
    });
    for (let at = 0; at < text.length; at += chunkBytes) {
      await one.logs.ingest.append(id, sliceFrame(text, at));
      written = Math.min(text.length, at + chunkBytes);
    }
    await Promise.all(readers);
    await expect(one.logs.ingest.eof(id, endOf(text))).resolves.toEqual({ complete: true });
    await eventually(async () => (await count("log_chunks", id)) === 0);
    expect(await count("log_segments", id)).toBeGreaterThanOrEqual(4);
    expect((await collect(two.logs.reader.bytes(id, 0, text.length))).equals(text)).toBe(true);
    expect(
      (await collect(two.logs.reader.bytes(id, 300_001, 900_003))).equals(text.subarray(300_001, 900_003)),
    ).toBe(true);
    await one.logs.mover.idle();
    await two.logs.mover.idle();
    const objects = [];
    for await (const object of fixture.objects.list(`logs/${id}/`)) objects.push(object);
    expect(objects.length).toBe(await count("log_segments", id));
  });

  it("moves what a dead server left, and joins small chunks", async () => {
    const id = await newStream();
    const text = Buffer.from(Array.from({ length: 700 }, (_, i) => `line ${i}\n`).join(""));
    let at = 0;
    for (const line of text.toString().split(/(?<=\n)/)) {
      await one.logs.ingest.append(id, frameOf(text, at, at + line.length));
      at += line.length;
    }
    // As a crash between the end of the stream and the move leaves it.
    await fixture.db.query("update log_streams set ended = true, complete = true where id = $1", [id]);
    await two.logs.mover.sweep();
    await eventually(async () => (await count("log_chunks", id)) === 0);
    await two.logs.mover.idle();
    const [frame] = await one.logs.reader.frames(id, 0);
    expect(frame?.rawLength).toBeGreaterThan(1000);
    expect(frame?.firstLine).toBe(0);
    expect((await collect(one.logs.reader.bytes(id, 0, text.length))).equals(text)).toBe(true);
    const [middle] = await one.logs.reader.frames(id, text.indexOf("line 650\n"));
    expect(middle?.firstLine).toBe(650);
    expect(middle?.timeRuns[0]).toEqual({ lines: 1, timeMs: 650_000 });
  });

  it("leaves the open tail in the database", async () => {
    const id = await newStream();
    await one.logs.ingest.append(id, frameOf(Buffer.from("short\n"), 0, 6));
    await one.logs.mover.sweep();
    await one.logs.mover.idle();
    expect(await count("log_chunks", id)).toBe(1);
    // As after a segment was moved while the stream grew on: what is left of it is no segment yet.
    one.logs.mover.grew(id, segmentBytes);
    await one.logs.mover.idle();
    expect(await count("log_chunks", id)).toBe(1);
  });
});

/** Lines are 80 bytes here, so the number of a frame's first line follows from its offset. */
function sliceFrame(text: Buffer, at: number) {
  const raw = text.subarray(at, at + chunkBytes);
  const begun = [...raw].filter((_, i) => (at + i) % 80 === 0).length;
  return {
    channel: 1,
    offset: at,
    firstLine: Math.floor(at / 80),
    rawLength: raw.length,
    compressed: false,
    timeRuns: [{ lines: begun, timeMs: at }],
    payload: raw,
  };
}
