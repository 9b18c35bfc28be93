/** Watching: every byte from any offset, stored or live, on any server, at any speed of reading. */
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LogWatchOptions } from "@forgeline/server/edges/watch/hub.ts";
import { eventually } from "../../support/eventually.ts";
import { endOf, frameOf, seeded } from "../../support/log-frames.ts";
import { connectViewer, type TestViewer } from "../../support/log-viewer.ts";
import { insertRun, logFixture, openStreams, type LogFixture, type TestRun } from "./fixture.ts";
import { openConnectionReceiver, type WatchServer } from "./watch-socket-server.ts";

let fixture: LogFixture;
let one: ReturnType<LogFixture["server"]>;
let two: ReturnType<LogFixture["server"]>;
const watchServers: WatchServer[] = [];
const viewers: TestViewer[] = [];

beforeAll(async () => {
  fixture = await logFixture();
  one = fixture.server();
  two = fixture.server();
});
afterEach(async () => {
  for (const viewer of viewers.splice(0)) viewer.socket.terminate();
  for (const each of watchServers.splice(0)) await each.close();
});
afterAll(() => fixture.close());

async function openWatchServer(server: typeof one, options?: LogWatchOptions): Promise<WatchServer> {
  const opened = await openConnectionReceiver(server, options);
  watchServers.push(opened);
  return opened;
}

function watch(at: WatchServer, run: TestRun, query = ""): TestViewer {
  const viewer = connectViewer(`${at.url}/?pipeline=${run.pipelineId}${query}`);
  viewers.push(viewer);
  return viewer;
}

async function stepOf(run: TestRun): Promise<string> {
  const [, step] = await openStreams(one, run);
  if (!step) throw new Error("no stream");
  return step.id;
}

const lines = (count: number, width = 10) =>
  Buffer.from(Array.from({ length: count }, (_, i) => `${String(i).padStart(width, ".")}\n`).join(""));

/** What cannot be compressed, with a line's end at every hundredth byte. */
function noise(length: number): Buffer {
  const bytes = randomBytes(length);
  for (let at = 99; at < length; at += 100) bytes[at] = 10;
  return bytes;
}

/** Frames of whole lines of `width + 1` bytes, so that making them is cheap. */
async function write(id: string, text: Buffer, from: number, to: number, step: number) {
  for (let at = from; at < to; at += step)
    await one.logs.ingest.append(id, {
      ...frameOf(Buffer.from(text.subarray(at, Math.min(to, at + step))), 0, Math.min(step, to - at)),
      offset: at,
    });
}

/** In frames as large as may be. */
async function writeNoise(id: string, text: Buffer, after = () => {}) {
  for (let offset = 0; offset < text.length; offset += 60_000) {
    const raw = text.subarray(offset, offset + 60_000);
    const lineCount = raw.length / 100;
    await one.logs.ingest.append(id, {
      channel: 1,
      offset,
      firstLine: offset / 100,
      rawLength: raw.length,
      compressed: false,
      timeRuns: [{ lines: lineCount, timeMs: 1 }],
      payload: raw,
    });
    after();
  }
}

async function finish(run: TestRun, id: string, text: Buffer) {
  expect(await one.logs.ingest.eof(id, endOf(text))).toEqual({ complete: true });
  await one.db.transaction(async (tx) => {
    await tx.query("update log_streams set ended = true, complete = true where pipeline_id = $1", [
      run.pipelineId,
    ]);
    await tx.query("update steps set status = 'success' where pipeline_id = $1", [run.pipelineId]);
    await tx.query("update pipelines set status = 'success', finished_at = now() where id = $1", [
      run.pipelineId,
    ]);
    await tx.notify("run", run.pipelineId);
  });
}

describe("watching", () => {
  it("announces a step whose name has expressions when it starts, with the name that it has then", async () => {
    const run = await insertRun(fixture.db);
    const id = await stepOf(run);
    const rename = (name: string, start: string) =>
      fixture.db.transaction(async (tx) => {
        const change = `update steps set name = $2, started_at = ${start} where pipeline_id = $1`;
        await tx.query(change, [run.pipelineId, name]);
        await tx.notify("run", run.pipelineId);
      });
    await rename("on ${{ matrix.os }}", "null");
    const viewer = watch(await openWatchServer(one), run);
    const names = () => viewer.messages.flatMap((said) => (said.t === "stream" ? [said.name] : []));
    await eventually(() => names().includes("setup"));
    await write(id, lines(1), 0, 11, 11);
    await rename("on linux", "now()");
    await eventually(() => names().includes("on linux"));
    expect(names()).not.toContain("on ${{ matrix.os }}");
  });

  it("gives every byte once from any offset, while another server writes and segments move", async () => {
    const run = await insertRun(fixture.db);
    const id = await stepOf(run);
    const text = lines(60_000);
    const near = await openWatchServer(one);
    const far = await openWatchServer(two);
    const random = seeded(5);
    const watching: { viewer: TestViewer; from: number }[] = [];
    for (let at = 0; at < text.length; at += 33_000) {
      await write(id, text, at, Math.min(text.length, at + 33_000), 1_100);
      const from = Math.floor(random() * (at + 1));
      watching.push({ viewer: watch(random() < 0.5 ? near : far, run, `&step=0&from=${from}`), from });
      if (random() < 0.3) await two.logs.mover.sweep();
    }
    await finish(run, id, text);
    for (const { viewer, from } of watching) {
      expect((await viewer.closed).code).toBe(1000);
      expect(viewer.text(id).equals(text.subarray(from))).toBe(true);
    }
  });

  it("skips nothing that another server wrote, also when the news of it comes late", async () => {
    const run = await insertRun(fixture.db);
    const id = await stepOf(run);
    const { feed } = one.logs;
    const withoutNews: typeof feed = {
      ...feed,
      subscribe: (streamId, follower) => feed.subscribe(streamId, { ...follower, hint: () => undefined }),
    };
    const viewer = watch(
      await openWatchServer({ ...one, logs: { ...one.logs, feed: withoutNews } }),
      run,
      "&step=0",
    );
    const text = lines(30);
    const writers = [one, one, one, two, one];
    for (const [n, writer] of writers.entries()) {
      const [start, end] = [n * 66, (n + 1) * 66];
      // Whoever did not write last is told where the log goes on, and sends it again.
      await eventually(
        async () => "nextOffset" in (await writer.logs.ingest.append(id, frameOf(text, start, end))),
      );
      if (writer === one) await eventually(() => viewer.text(id).length >= end);
    }
    expect(viewer.text(id).equals(text.subarray(0, writers.length * 66))).toBe(true);
  });

  it("tells of streams, statuses, ends, and closes when the run is over", async () => {
    const run = await insertRun(fixture.db);
    const id = await stepOf(run);
    const viewer = watch(await openWatchServer(two), run);
    await eventually(() => viewer.messages.filter((m) => m.t === "stream").length === 2);
    const text = Buffer.from(
      'hello\n{"t":"end","status":"success","reason":null}\n\u001b]8;;javascript:alert(1)\u0007x\n',
    );
    await one.logs.ingest.append(id, frameOf(text, 0, text.length));
    await eventually(() => viewer.text(id).equals(text));
    await finish(run, id, text);
    expect((await viewer.closed).code).toBe(1000);
    const kinds = viewer.messages.map((m) => (m.t === "status" ? `${m.node}:${m.status}` : m.t));
    expect(kinds).toContain("step:running");
    expect(kinds).toContain("step:success");
    expect(kinds.indexOf("pipeline:success")).toBeGreaterThan(kinds.indexOf("step:success"));
    expect(kinds.filter((kind) => kind === "eof").length).toBe(2);
    expect(kinds.filter((kind) => kind === "end").length).toBe(1);
    expect(kinds.at(-1)).toBe("end");
    expect(viewer.messages.find((m) => m.t === "eof" && m.bytes > 0)).toMatchObject({
      bytes: text.length,
      lines: 3,
      complete: true,
    });
  });

  it("resumes many streams where the viewer left them", async () => {
    const run = await insertRun(fixture.db);
    const [setup, step] = await openStreams(one, run);
    if (!setup || !step) throw new Error("no streams");
    const text = lines(500);
    await write(setup.id, text, 0, text.length, 1_100);
    await write(step.id, text, 0, text.length, 1_100);
    const viewer = watch(await openWatchServer(two), run, "&resume=1");
    await viewer.opened;
    viewer.socket.send(
      JSON.stringify({ t: "resume", offsets: { [setup.id]: 1_234, [step.id]: text.length } }),
    );
    await eventually(() => viewer.text(setup.id).equals(text.subarray(1_234)));
    expect(viewer.firstLine(setup.id)).toBeGreaterThan(1);
    expect(viewer.text(step.id).length).toBe(0);
    viewer.socket.send(JSON.stringify({ t: "resume", offsets: { [step.id]: 5_000 } }));
    await eventually(() => viewer.text(step.id).equals(text.subarray(5_000)));
    await one.logs.ingest.eof(step.id, endOf(text));
    const ends = () => viewer.messages.filter((m) => m.t === "eof").length;
    await eventually(() => ends() === 1);
    viewer.socket.send(JSON.stringify({ t: "resume", offsets: { [step.id]: text.length - 1_100 } }));
    await eventually(() => ends() === 2);
  });

  it("never drops lines of a slow viewer, and never buffers more than its backlog", async () => {
    const run = await insertRun(fixture.db);
    const id = await stepOf(run);
    const at = await openWatchServer(one);
    const slow = watch(at, run, "&step=0");
    await eventually(() => slow.messages.some((m) => m.t === "stream"));
    slow.socket.pause();
    const text = noise(12_000_000);
    const quick = watch(at, run, "&step=0");
    let backlog = 0;
    await writeNoise(id, text, () => (backlog = Math.max(backlog, at.backlog())));
    await eventually(() => quick.text(id).length === text.length);
    expect(backlog).toBeLessThan(2 * 1024 * 1024);
    expect(slow.text(id).length).toBeLessThan(text.length);
    slow.socket.resume();
    await finish(run, id, text);
    expect((await slow.closed).code).toBe(1000);
    expect(slow.text(id).equals(text)).toBe(true);
    expect(quick.text(id).equals(text)).toBe(true);
  });

  it("closes a viewer that reads nothing with 4429", async () => {
    const run = await insertRun(fixture.db);
    const id = await stepOf(run);
    const stuck = watch(await openWatchServer(one, { stalledMs: 300, checkMs: 50 }), run, "&step=0");
    await eventually(() => stuck.messages.some((m) => m.t === "stream"));
    stuck.socket.pause();
    const text = noise(9_000_000);
    await writeNoise(id, text);
    const [watchServer1] = watchServers;
    await eventually(() => watchServer1?.hub.viewers() === 0);
    stuck.socket.resume();
    // The closing frame waits behind what the viewer did not read; it may be cut off by the end of patience.
    expect([4429, 1006]).toContain((await stuck.closed).code);
  });

  it("serves a hundred viewers of one log alike", async () => {
    const run = await insertRun(fixture.db);
    const id = await stepOf(run);
    const text = lines(20_000);
    await write(id, text, 0, 110_000, 11_000);
    const at = await openWatchServer(one);
    const crowd = Array.from({ length: 100 }, () => watch(at, run, "&step=0"));
    await write(id, text, 110_000, text.length, 1_100);
    await finish(run, id, text);
    for (const viewer of crowd) {
      expect((await viewer.closed).code).toBe(1000);
      expect(viewer.text(id).equals(text)).toBe(true);
    }
  });

  it("ends viewers whose permission is gone, at once when their token is revoked", async () => {
    const run = await insertRun(fixture.db);
    await stepOf(run);
    const at = await openWatchServer(one);
    const viewer = watch(at, run);
    await eventually(() => viewer.messages.length > 0);
    at.permission.granted = false;
    await two.db.transaction((tx) => tx.notify("token", "tok_other"));
    await two.db.transaction((tx) => tx.notify("token", "tok_test"));
    expect((await viewer.closed).code).toBe(4401);
    const periodic = await openWatchServer(one, { checkMs: 50 });
    const other = watch(periodic, run);
    await eventually(() => other.messages.length > 0);
    periodic.permission.granted = false;
    expect((await other.closed).code).toBe(4401);
  });

  it("refuses what is not a resume message, and frames over 64 KiB", async () => {
    const run = await insertRun(fixture.db);
    const at = await openWatchServer(one);
    const talker = watch(at, run);
    await talker.opened;
    talker.socket.send("hello");
    expect((await talker.closed).code).toBe(4400);
    const big = watch(at, run);
    await big.opened;
    big.socket.send("x".repeat(65 * 1024));
    expect((await big.closed).code).toBe(1009);
  });
});
