/** An upload that hardly comes is given up: nobody keeps an object from others by sending it without end. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throwWhenIdle } from "@forgeline/server/edges/http/upload-body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Each part after so many milliseconds. */
async function* parts(count: number, { bytes, everyMs }: { bytes: number; everyMs: number }) {
  for (let i = 0; i < count; i++) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    yield Buffer.alloc(bytes);
  }
}

async function read(source: AsyncIterator<Buffer>, pauseMs = 0): Promise<number> {
  let size = 0;
  for await (const part of throwWhenIdle(source)) {
    size += part.length;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return size;
}

async function outcome(source: AsyncIterator<Buffer>, pauseMs = 0): Promise<number | string> {
  const reading = read(source, pauseMs).catch((error: Error) => error.message);
  await vi.runAllTimersAsync();
  return reading;
}

const hardly = expect.stringContaining("Almost no data was received");

test.each([
  ["nothing more", 2, { bytes: 20_000, everyMs: 31_000 }, hardly],
  ["a byte every second", 40, { bytes: 1, everyMs: 1000 }, hardly],
  ["a slow line", 100, { bytes: 4_096, everyMs: 5000 }, 409_600],
  ["a small object, slowly", 10, { bytes: 10, everyMs: 2000 }, 100],
])("%s", async (_what, count, pace, expected) => {
  expect(await outcome(parts(count, pace))).toEqual(expected);
});

test("the time that the store takes is not the client's", async () => {
  expect(await outcome(parts(20, { bytes: 100, everyMs: 10 }), 60_000)).toBe(2000);
});

test("a body that ends early is the client's mistake", async () => {
  const cut = parts(0, { bytes: 0, everyMs: 0 });
  cut.next = () => Promise.reject(new Error("aborted"));
  expect(await outcome(cut)).toContain("ended early");
});
