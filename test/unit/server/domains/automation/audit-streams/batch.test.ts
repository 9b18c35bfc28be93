/** Lines of an audit log become batches of at most 100 entries and 512 KiB, none of which is cut or lost. */
import { expect, test } from "vitest";
import { batchesOf } from "@forgeline/server/domains/automation/audit-streams/batch.ts";

const line = (seq: number, text = "") => JSON.stringify({ id: `evt_${seq}`, seq, text });
const textOf = (lines: readonly string[]) => lines.map((each) => `${each}\n`).join("");
const from = (count: number, text?: string) => Array.from({ length: count }, (_, at) => line(at + 1, text));

test.each([
  [0, []],
  [1, [[1, 1]]],
  [100, [[1, 100]]],
  [
    101,
    [
      [1, 100],
      [101, 101],
    ],
  ],
  [
    250,
    [
      [1, 100],
      [101, 200],
      [201, 250],
    ],
  ],
])("%i lines", (count, places) => {
  const batches = [...batchesOf(textOf(from(count)))];
  expect(batches.map(({ place }) => [place?.first, place?.last])).toEqual(places);
  expect(batches.flatMap(({ lines }) => lines)).toEqual(from(count));
});

test("a batch is at most 512 KiB, unless one entry alone is longer", () => {
  const lines = [...from(5, "ë".repeat(100_000)), line(6, "y".repeat(3_000_000)), line(7)];
  const batches = [...batchesOf(textOf(lines))];
  expect(batches.map(({ place }) => [place?.first, place?.last])).toEqual([
    [1, 2],
    [3, 4],
    [5, 5],
    [6, 6],
    [7, 7],
  ]);
});

test("an entry without a number is an error of ours, and not skipped", () => {
  expect(() => [...batchesOf('{"id":"evt_1","seq":null}\n')]).toThrow("no seq");
});
