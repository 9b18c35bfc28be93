import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import {
  scanFrames,
  type Carry,
  type ScanHit,
  type ScanTask,
} from "@forgeline/server/domains/pipelines/logs/search/scan-frames.ts";

const bytesOf = (text: string) => Buffer.from(text, "utf8");

/** Cuts `log` at these places, a frame each; every second one is compressed. */
function framesOf(log: Buffer, cuts: readonly number[]) {
  const places = [0, ...cuts, log.length];
  return places.slice(1).map((end, n) => {
    const offset = places[n] ?? 0;
    const raw = log.subarray(offset, end);
    const firstLine = log.subarray(0, offset).toString("latin1").split("\n").length - 1;
    const compressed = n % 2 === 1;
    const payload = compressed ? zstdCompressSync(raw) : raw;
    return { offset, firstLine, rawLength: raw.length, compressed, payload };
  });
}

/** Each frame as a task of its own, as batches may be. */
function scan(log: Buffer, cuts: readonly number[], options: Partial<ScanTask> & Pick<ScanTask, "wanted">) {
  const frames = framesOf(log, cuts);
  let carry: Carry | null = null;
  const hits: ScanHit[] = [];
  for (const [n, { payload, ...frame }] of frames.entries()) {
    const result = scanFrames({
      limit: 100,
      isEnd: n === frames.length - 1,
      ...options,
      payloads: Uint8Array.from(payload),
      frames: [{ ...frame, storedLength: payload.length }],
      carry,
    });
    hits.push(...result.hits);
    carry = result.carry;
  }
  return { hits, carry };
}

const wanted = { kind: "words", words: "näht" } as const;
const log = bytesOf("Näht\n\nx\u001b[1mnÄ\u001b[0mht y\r\nnone\nüü näht");

test("finds the same wherever frames are cut, also inside a character or an escape sequence", () => {
  const whole = scan(log, [], { wanted });
  expect(whole.hits.map(({ line, offset, end, text }) => [line, offset, end, text])).toEqual([
    [0, 0, 6, "Näht"],
    [2, 7, 25, "xnÄht y"],
    [4, 30, log.length, "üü näht"],
  ]);
  for (let first = 1; first < log.length; first += 1)
    for (const second of [first + 1, first + 7, log.length - 1].filter((at) => at > first && at < log.length))
      expect([first, second, scan(log, [first, second], { wanted })]).toEqual([first, second, whole]);
});

test("leaves a line that may still grow for later", () => {
  const { hits, carry } = scan(log, [3], { wanted, isEnd: false });
  expect(hits).toHaveLength(2);
  expect(carry?.offset).toBe(30);
  expect(Buffer.from(carry?.bytes ?? []).toString()).toBe("üü näht");
});

test("says where the line after the last one begins, so that a search can go on there", () => {
  const { hits } = scan(log, [], { wanted, limit: 1 });
  expect(hits).toHaveLength(1);
  expect(log.subarray(hits[0]?.end).toString().startsWith("\nx")).toBe(true);
});

test("holds no more than a piece of a line that never ends", () => {
  const long = Buffer.alloc(600 * 1024, "a");
  const cuts = Array.from({ length: 10 }, (_, n) => (n + 1) * 60_000);
  const { hits, carry } = scan(long, cuts, { wanted: { kind: "words", words: "aaaa" }, isEnd: false });
  expect(hits.map(({ line }) => line)).toEqual([0, 0]);
  expect(carry?.bytes.length ?? 0).toBeLessThan(256 * 1024);
});

test("finds the first line that looks like an error", () => {
  const text = bytesOf("0 errors so far\nok\n\u001b[31merror\u001b[0m: it broke\nerror: again\n");
  const { hits } = scan(text, [20], { wanted: { kind: "error" }, limit: 1 });
  expect(hits.map((hit) => [hit.line, hit.text])).toEqual([[2, "error: it broke"]]);
});
