/** A server that dies at its worst moments loses no byte that it had stored, and leaves nothing in the way. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { collect, endOf, frameOf } from "../../support/log-frames.ts";
import { insertRun, logFixture, openStreams, type LogFixture } from "./fixture.ts";

let fixture: LogFixture;
let survivor: ReturnType<LogFixture["server"]>;
beforeAll(async () => {
  fixture = await logFixture();
  survivor = fixture.server();
});
afterAll(() => fixture.close());

const program = fileURLToPath(new URL("doomed-server.ts", import.meta.url));
const text = Buffer.from("first\nsecond\nthird\n");

async function runDoomed(what: "append" | "move", streamId: string, crashAt: CrashPoint | "") {
  const child = spawn(process.execPath, [program, fixture.database.url, fixture.directory, what, streamId], {
    env: { ...process.env, FORGELINE_CRASH_AT: crashAt },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code, signal]] = await Promise.all([readText(child.stdout), once(child, "exit")]);
  return { output, code: code as number | null, signal: signal as string | null };
}

async function newStream(): Promise<{ id: string; attemptId: string }> {
  const run = await insertRun(fixture.db);
  const [, step] = await openStreams(survivor, run);
  if (!step) throw new Error("no stream");
  return { id: step.id, attemptId: run.attemptId };
}

describe("a server killed", () => {
  it("log.stored-before-ack: the runner sends again, and every byte is there once", async () => {
    const { id, attemptId } = await newStream();
    const dead = await runDoomed("append", id, "log.stored-before-ack");
    expect(dead).toMatchObject({ output: "", signal: "SIGKILL" });
    expect((await survivor.logs.ingest.missing(attemptId))[id]).toBe(6);
    for (const [start, end] of [
      [0, 6],
      [6, 13],
      [13, 19],
    ] as const)
      expect(await survivor.logs.ingest.append(id, frameOf(text, start, end))).toEqual({ nextOffset: end });
    expect(await survivor.logs.ingest.eof(id, endOf(text))).toEqual({ complete: true });
    expect(await collect(survivor.logs.reader.bytes(id, 0, text.length))).toEqual(text);
  });

  it("log.segment-stored-before-row: the chunks are moved by the next one, the orphan is in nobody's way", async () => {
    const { id } = await newStream();
    const alive = await runDoomed("append", id, "");
    expect(alive.output.trim().split("\n").length).toBe(3);
    await fixture.db.query("update log_streams set ended = true, complete = true where id = $1", [id]);
    const dead = await runDoomed("move", id, "log.segment-stored-before-row");
    expect(dead.signal).toBe("SIGKILL");
    expect(await collect(survivor.logs.reader.bytes(id, 0, text.length))).toEqual(text);
    await survivor.logs.mover.sweep();
    await survivor.logs.mover.idle();
    const counts = await fixture.db.one(
      `select (select count(*) from log_chunks where stream_id = $1) as chunks,
              (select count(*) from log_segments where stream_id = $1) as segments`,
      [id],
    );
    expect(counts).toEqual({ chunks: 0, segments: 1 });
    expect(await collect(survivor.logs.reader.bytes(id, 0, text.length))).toEqual(text);
  });
});
