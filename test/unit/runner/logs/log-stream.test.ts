import { createHash, randomInt } from "node:crypto";
import { appendFile, mkdtemp, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LogCut } from "@forgeline/runner/logs/log-cut.ts";
import { LogStream, type StreamBytes } from "@forgeline/runner/logs/log-stream.ts";
import { secretEncodings } from "@forgeline/runner/logs/secret-encodings.ts";
import { size } from "../../../support/size.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-log-"));
  path = join(directory, "raw");
});
afterEach(() => rm(directory, { recursive: true }));

const streamOf = (over: Partial<ConstructorParameters<typeof LogStream>[0]> = {}) =>
  new LogStream({
    path,
    forms: secretEncodings(["secret-value"]),
    lineBytes: 65_536,
    stepLogBytes: 1 << 28,
    tailBytes: 1 << 26,
    resumeHeldAt: null,
    beforePunch: async () => undefined,
    onCut: () => undefined,
    ...over,
  });

async function drain(stream: LogStream, limit = 65_536): Promise<StreamBytes[]> {
  const frames: StreamBytes[] = [];
  for (;;) {
    const frame = await stream.nextFrame(limit);
    if (!frame) return frames;
    frames.push(frame);
  }
}

const textOf = (frames: readonly StreamBytes[]) => Buffer.concat(frames.map((f) => f.bytes)).toString();

/** Every frame tells its lines truly. */
function expectTrueLines(frames: readonly StreamBytes[]): void {
  let before = "";
  for (const frame of frames) {
    expect(frame.offset).toBe(Buffer.byteLength(before));
    expect(frame.firstLine).toBe(before.split("\n").length - 1);
    const text = frame.bytes.toString();
    const begun = text.slice(0, -1).split("\n").length - 1 + (before === "" || before.endsWith("\n") ? 1 : 0);
    expect(frame.timeRuns.reduce((sum, run) => sum + run.lines, 0)).toBe(begun);
    before += text;
  }
}

describe("a log stream", () => {
  it("goes on past a secret that is longer in the file than what is read at once", async () => {
    const secret = Array.from({ length: 65_536 }, (_, i) =>
      String.fromCharCode(97 + ((i * i + (i >> 5)) % 26)),
    );
    const stream = streamOf({ forms: secretEncodings([secret.join("")]) });
    await writeFile(path, `one ${Buffer.from(secret.join("")).toString("hex")}`);
    const frames = await drain(stream);
    await appendFile(path, ` two\n${secret.slice(0, 40_000).join("")}`);
    await stream.end();
    frames.push(...(await drain(stream)));
    expect(textOf(frames).replaceAll(/[a-z]{1000,}/g, "part")).toBe("one *** two\npart");
    expect(stream.drained).toBe(true);
  });

  it("gives what the file has, as it grows, with totals at the end", async () => {
    const stream = streamOf();
    expect(await drain(stream)).toEqual([]);
    await writeFile(path, "one\ntwo");
    const frames = await drain(stream);
    await appendFile(path, " halves\nsecret-");
    frames.push(...(await drain(stream)));
    expect(stream.drained).toBe(false);
    await appendFile(path, "value!");
    await stream.end();
    frames.push(...(await drain(stream)));
    const text = "one\ntwo halves\n***!";
    expect(textOf(frames)).toBe(text);
    expectTrueLines(frames);
    expect(stream.drained).toBe(true);
    expect(stream.totals()).toEqual({
      bytes: text.length,
      lines: 3,
      sha256: createHash("sha256").update(text).digest("hex"),
      droppedBytes: 0,
      droppedLines: 0,
    });
    await stream.close();
  });

  it("gives the same bytes again after a rewind to anywhere, and the checksum stays right", async () => {
    const line = (i: number) => `${i} secret-value ${"x".repeat(i % 50)}\n`;
    await writeFile(path, Array.from({ length: 8000 }, (_, i) => line(i)).join(""));
    const stream = streamOf();
    await stream.end();
    const whole = textOf(await drain(stream));
    expect(whole).not.toContain("secret");
    for (let round = 0; round < size(5, 20); round++) {
      const to = randomInt(whole.length);
      stream.rewind(to);
      const [first] = await drain(stream, 1 + randomInt(70_000));
      expect(first?.offset).toBe(to);
      expect(first?.firstLine).toBe(whole.slice(0, to).split("\n").length - 1);
      stream.rewind(to);
      expect(textOf(await drain(stream))).toBe(whole.slice(to));
    }
    expect(stream.totals()).toMatchObject({ bytes: whole.length, lines: 8000 });
    expect(stream.totals().sha256).toBe(createHash("sha256").update(whole).digest("hex"));
    await stream.close();
  });

  it("counts what it gives again once in its checksum, also in a frame that goes further", async () => {
    await writeFile(path, "one\ntwo\n");
    const stream = streamOf();
    await drain(stream);
    stream.rewind(4);
    await appendFile(path, "three\n");
    await stream.end();
    expect((await drain(stream)).map(({ bytes }) => bytes.toString())).toEqual(["two\nthree\n"]);
    const sha256 = createHash("sha256").update("one\ntwo\nthree\n").digest("hex");
    expect(stream.totals()).toMatchObject({ bytes: 14, lines: 3, sha256 });
    await stream.close();
  });

  it("keeps head and tail past the cap, with the gap marked in bytes and lines", async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i}\n`);
    await writeFile(path, lines.slice(0, 15_000).join(""));
    const stream = streamOf({ stepLogBytes: 100_000, tailBytes: 20_000 });
    const frames = await drain(stream);
    expect(textOf(frames).length).toBe(80_000);
    await appendFile(path, lines.slice(15_000).join(""));
    stream.acknowledged(80_000);
    await stream.end();
    frames.push(...(await drain(stream)));
    const text = textOf(frames);
    expectTrueLines(frames);
    expect(text.startsWith("line 0\n")).toBe(true);
    expect(text.endsWith("line 29999\n")).toBe(true);
    expect(text.length).toBeLessThan(100_200);
    const { droppedBytes, droppedLines, bytes, lines: total } = stream.totals();
    expect(text).toContain(`[forgeline: ${droppedBytes} bytes, ${droppedLines} lines left out`);
    expect(bytes).toBe(text.length);
    expect(total).toBe(text.split("\n").length - 1);
    const marker = text.split("\n").find((l) => l.startsWith("[forgeline:")) ?? "";
    // The marker stands on a line of its own, so a newline may have been put before it.
    const added = marker.length + 1 + (text.indexOf(marker) > 80_000 ? 1 : 0);
    expect(droppedBytes + text.length).toBe(lines.join("").length + added);
    stream.rewind(90_000);
    expect(textOf(await drain(stream))).toBe(text.slice(90_000));
    await stream.close();
  });

  it("gives all of a log that is over the live part and under the cap", async () => {
    const text = Array.from({ length: 10_000 }, (_, i) => `line ${i}\n`).join("");
    await writeFile(path, text);
    const stream = streamOf({ stepLogBytes: text.length, tailBytes: 20_000 });
    const frames = await drain(stream);
    expect(textOf(frames).length).toBe(text.length - 20_000);
    await stream.end();
    frames.push(...(await drain(stream)));
    expect(textOf(frames)).toBe(text);
    expectTrueLines(frames);
    expect(stream.totals()).toMatchObject({ droppedBytes: 0, droppedLines: 0, lines: 10_000 });
    await stream.close();
  });

  it("is empty, and not an error, when the file never came", async () => {
    const stream = streamOf();
    await stream.end();
    expect(await drain(stream)).toEqual([]);
    expect(stream.drained).toBe(true);
    expect(stream.totals()).toMatchObject({ bytes: 0, lines: 0 });
  });

  it.each([
    ["while it grows", { stepLogBytes: 1 << 28, tailBytes: 1 << 26 }, false],
    ["after its end", { stepLogBytes: 1 << 28, tailBytes: 1 << 26 }, true],
    ["in the part that is held back", { stepLogBytes: 30_000, tailBytes: 10_000 }, true],
  ])("ends with what was read, and says so, when the file is cut %s", async (_when, limits, ended) => {
    await writeFile(path, "first\n".repeat(30_000));
    const cuts: Error[] = [];
    const stream = streamOf({ ...limits, onCut: (cut) => cuts.push(cut) });
    const frames = [await stream.nextFrame(600)].filter((frame) => frame !== null);
    if (ended) await stream.end();
    await truncate(path, 60);
    frames.push(...(await drain(stream)), ...(await drain(stream)), ...(await drain(stream)));
    expect(cuts[0]).toBeInstanceOf(LogCut);
    expect(stream.drained).toBe(true);
    expect("first\n".repeat(30_000).startsWith(textOf(frames))).toBe(true);
    expect(stream.totals().bytes).toBe(textOf(frames).length);
    await stream.close();
  });

  it("ends, and says so, when the file cannot be opened", async () => {
    await writeFile(path, "no directory");
    const cuts: Error[] = [];
    const stream = streamOf({ path: join(path, "log"), onCut: (cut) => cuts.push(cut) });
    expect(await drain(stream)).toEqual([]);
    expect(cuts[0]).toBeInstanceOf(LogCut);
    expect(stream.drained).toBe(true);
  });

  it("frees the file that it reads, not what has its name by now", async () => {
    const other = join(directory, "other");
    const text = "0123456789abcde\n".repeat(8 * 1024 * 1024);
    await writeFile(other, text);
    await writeFile(path, text);
    const stream = streamOf({ stepLogBytes: 64 * 1024, tailBytes: 32 * 1024 });
    await stream.nextFrame(10);
    await rename(path, `${path}.moved`);
    await symlink(other, path);
    await drain(stream);
    await stream.end();
    await drain(stream);
    const [moved, untouched] = await Promise.all([stat(`${path}.moved`), stat(other)]);
    expect(untouched.blocks * 512).toBeGreaterThanOrEqual(text.length);
    expect(moved.blocks).toBeLessThan(untouched.blocks);
    await stream.close();
  });
});
