/** Appending: cuts, duplicates, gaps and two servers at once never lose, repeat or reorder a byte. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogIngest } from "@forgeline/server/domains/pipelines/logs/ingest.ts";
import { collect, endOf, frameOf, seeded } from "../../support/log-frames.ts";
import { insertRun, logFixture, openStreams, type LogFixture } from "./fixture.ts";

let fixture: LogFixture;
let servers: ReturnType<LogFixture["server"]>[];

beforeAll(async () => {
  fixture = await logFixture();
  servers = [fixture.server(), fixture.server()];
});
afterAll(() => fixture.close());

function first() {
  const server = servers[0];
  if (!server) throw new Error("no server");
  return server;
}

async function newStream(): Promise<{ id: string; attemptId: string }> {
  const run = await insertRun(fixture.db);
  const [, step] = await openStreams(first(), run);
  if (!step) throw new Error("no stream");
  return { id: step.id, attemptId: run.attemptId };
}

function randomText(random: () => number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => (random() < 0.05 ? 10 : Math.floor(random() * 256))));
}

/** Sends as a careless runner does: random cuts, steps back, jumps ahead, several at once, any server. */
async function sendCarelessly(random: () => number, ingests: LogIngest[], id: string, text: Buffer) {
  let acknowledged = 0;
  while (acknowledged < text.length) {
    let at = Math.max(0, acknowledged - (random() < 0.3 ? Math.floor(random() * 300) : 0));
    if (random() < 0.1) at = Math.min(text.length - 1, at + 1 + Math.floor(random() * 50));
    const answers = [];
    for (let burst = 1 + Math.floor(random() * 6); burst > 0 && at < text.length; burst -= 1) {
      const end = Math.min(text.length, at + 1 + Math.floor(random() * 400));
      const ingest = ingests[Math.floor(random() * ingests.length)];
      if (!ingest) throw new Error("no ingest");
      answers.push(ingest.append(id, frameOf(text, at, end, random() < 0.5)));
      at = end;
    }
    for (const answer of await Promise.all(answers))
      acknowledged = "nextOffset" in answer ? Math.max(acknowledged, answer.nextOffset) : acknowledged;
  }
}

describe("append", () => {
  it.each([1, 2, 3, 4, 5, 6])("keeps every byte once, seed %i", async (seed) => {
    const random = seeded(seed);
    const text = randomText(random, 8_000);
    const { id } = await newStream();
    const ingests = servers.map((server) => server.logs.ingest);
    await sendCarelessly(random, ingests, id, text);
    await expect(first().logs.ingest.eof(id, endOf(text))).resolves.toEqual({ complete: true });
    const stored = await collect(first().logs.reader.bytes(id, 0, text.length));
    expect(stored.equals(text)).toBe(true);
    expect(await lineNumbersAreRight(id, text)).toBe(true);
  });

  it("names the offset it wants when bytes before are absent", async () => {
    const text = Buffer.from("one\ntwo\nthree\n");
    const { id, attemptId } = await newStream();
    const { ingest } = first().logs;
    await expect(ingest.append(id, frameOf(text, 4, 8))).resolves.toEqual({ expected: 0 });
    await expect(ingest.append(id, frameOf(text, 0, 4))).resolves.toEqual({ nextOffset: 4 });
    await expect(ingest.append(id, frameOf(text, 0, 8))).resolves.toEqual({ nextOffset: 8 });
    await expect(ingest.eof(id, endOf(text))).resolves.toEqual({ expected: 8 });
    expect((await ingest.missing(attemptId))[id]).toBe(8);
    await ingest.append(id, frameOf(text, 8, 14));
    await expect(ingest.eof(id, endOf(text))).resolves.toEqual({ complete: true });
    await expect(ingest.eof(id, endOf(text))).resolves.toEqual({ complete: true });
    expect((await ingest.missing(attemptId))[id]).toBeUndefined();
    await expect(ingest.append(id, frameOf(text, 8, 14))).resolves.toEqual({ nextOffset: 14 });
    const more = Buffer.concat([text, Buffer.from("four\n")]);
    await expect(ingest.append(id, frameOf(more, 14, 19))).rejects.toThrow("ended");
  });

  it("tells the true gap although another server stored meanwhile, and goes on from there", async () => {
    const text = Buffer.from("0123456789");
    const { id } = await newStream();
    const [one, two] = servers.map((server) => server.logs.ingest);
    await one?.append(id, frameOf(text, 0, 2));
    await two?.append(id, frameOf(text, 2, 6));
    await expect(one?.append(id, frameOf(text, 8, 10))).resolves.toEqual({ expected: 6 });
    await expect(one?.append(id, frameOf(text, 6, 10))).resolves.toEqual({ nextOffset: 10 });
  });

  it("says so when the checksum is wrong or bytes were dropped", async () => {
    const text = Buffer.from("a\nb\n");
    const { ingest } = first().logs;
    const wrong = await newStream();
    await ingest.append(wrong.id, frameOf(text, 0, 4));
    await expect(ingest.eof(wrong.id, { ...endOf(text), sha256: "00" })).resolves.toEqual({
      complete: false,
    });
    const longer = await newStream();
    await ingest.append(longer.id, frameOf(text, 0, 4));
    await expect(ingest.eof(longer.id, endOf(text.subarray(0, 2)))).resolves.toEqual({ complete: false });
    const dropped = await newStream();
    await ingest.append(dropped.id, frameOf(text, 0, 4));
    await expect(ingest.eof(dropped.id, { ...endOf(text), droppedBytes: 9 })).resolves.toEqual({
      complete: false,
    });
  });

  it("judges the end after the frames that came before it", async () => {
    const text = Buffer.from("a\nb\n");
    const { id } = await newStream();
    const { ingest } = first().logs;
    const stored = ingest.append(id, frameOf(text, 0, 4));
    await expect(ingest.eof(id, endOf(text))).resolves.toEqual({ complete: true });
    await stored;
  });

  it("ends what a dead attempt left open as incomplete", async () => {
    const { id, attemptId } = await newStream();
    const { ingest } = first().logs;
    await ingest.append(id, frameOf(Buffer.from("half a li"), 0, 9));
    await ingest.closeIncomplete(attemptId);
    expect(await ingest.missing(attemptId)).toEqual({});
    const row = await fixture.db.one("select ended, complete from log_streams where id = $1", [id]);
    expect(row).toEqual({ ended: true, complete: false });
  });

  it("refuses broken frames and unknown streams, and takes the good ones beside them", async () => {
    const text = Buffer.from("good\n");
    const { id } = await newStream();
    const { ingest } = first().logs;
    const frame = frameOf(text, 0, 5);
    const lying = { ...frame, rawLength: 6 };
    const bomb = { ...frame, compressed: true, payload: Buffer.from("not zstd") };
    await expect(ingest.append(id, lying)).rejects.toThrow(RangeError);
    await expect(ingest.append(id, bomb)).rejects.toThrow(RangeError);
    const impossible = [
      { ...frame, offset: 2 ** 60 },
      { ...frame, firstLine: 2 ** 60 },
      { ...frame, timeRuns: [{ lines: 4_000_000_000, timeMs: 1 }] },
      { ...frame, timeRuns: [{ lines: 1, timeMs: Number.NaN }] },
      { ...frame, timeRuns: [{ lines: 1, timeMs: 1e300 }] },
    ];
    for (const bad of impossible) await expect(ingest.append(id, bad)).rejects.toThrow(RangeError);
    const [unknown, good] = await Promise.allSettled([
      ingest.append("log_none", frame),
      ingest.append(id, frame),
    ]);
    expect(unknown.status).toBe("rejected");
    expect(good).toEqual({ status: "fulfilled", value: { nextOffset: 5 } });
  });
});

/** Reads from every line's start and compares what the frame there says about lines with the text. */
async function lineNumbersAreRight(id: string, text: Buffer): Promise<boolean> {
  for (let at = 0; at < text.length; at += 97) {
    const [frame] = await first().logs.reader.frames(id, at);
    if (!frame) return false;
    const wanted = frameOf(text, at, at + frame.rawLength);
    const begun = (runs: typeof wanted.timeRuns) =>
      runs.flatMap((run) => Array<number>(run.lines).fill(run.timeMs));
    if (frame.offset !== at || frame.firstLine !== wanted.firstLine) return false;
    if (JSON.stringify(begun(frame.timeRuns)) !== JSON.stringify(begun(wanted.timeRuns))) return false;
  }
  return true;
}
