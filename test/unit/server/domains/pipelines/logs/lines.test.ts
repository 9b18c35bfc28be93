import { expect, test } from "vitest";
import { readLines } from "@forgeline/server/domains/pipelines/logs/lines.ts";
import type { LogReader } from "@forgeline/server/domains/pipelines/logs/reader.ts";
import { frameOf } from "../../../../../support/log-frames.ts";

test("whoever takes lines as fast as they come leaves others their turns of the event loop", async () => {
  const text = Buffer.alloc(60_000, "\n");
  const reader: Pick<LogReader, "frames"> = { frames: async () => [frameOf(text, 0, text.length)] };
  const range = { streamId: "log_1", start: 0, end: text.length, lastIsWhole: true };
  let [turns, lines] = [0, 0];
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  for await (const { number } of readLines(reader as LogReader, range)) expect(number).toBe(lines++);
  clearImmediate(next);
  expect(lines).toBe(text.length);
  expect(turns).toBeGreaterThanOrEqual(59);
});
