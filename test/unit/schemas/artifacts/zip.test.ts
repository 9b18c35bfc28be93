import { expect, test } from "vitest";
import { decodeEnd, decodeIndex, endBytes } from "@forgeline/schemas/artifacts/zip.ts";
import { zipOf } from "../../../support/job-artifacts.ts";

function read(bytes: Buffer) {
  const place = decodeEnd(bytes.subarray(-endBytes), bytes.length);
  return decodeIndex(bytes.subarray(place.offset, place.offset + place.sizeBytes), place);
}

const bytes = zipOf({ "a/b": "hello", c: "" });

test("the list of files says where each is", () => {
  expect(read(bytes).map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
    ["a/b", 5],
    ["c", 0],
  ]);
});

/** What it is refused with, or the entries. */
function tried(changed: Buffer) {
  try {
    return { entries: read(changed) };
  } catch (error) {
    return { entries: [], error };
  }
}

test("whatever is changed in it, it is read or refused, and never leads out of the artifact", () => {
  const { offset } = decodeEnd(bytes.subarray(-endBytes), bytes.length);
  const results = [0, 1, 0x2e, 0x2f, 0x7f, 0xff].flatMap((value) =>
    Array.from({ length: bytes.length - offset }, (_, at) => {
      const changed = Buffer.from(bytes);
      changed[offset + at] = value;
      return tried(changed);
    }),
  );
  const errors = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
  expect(errors.length).toBeGreaterThan(100);
  expect(errors.filter((error) => !(error instanceof RangeError))).toEqual([]);
  for (const entry of results.flatMap(({ entries }) => entries)) {
    expect(entry.offset + entry.sizeBytes).toBeLessThanOrEqual(bytes.length);
    expect(entry.path.split("/")).not.toContain("..");
  }
});

test("two files of one path are refused", () => {
  const one = zipOf({ a: "1" });
  const { offset, sizeBytes } = decodeEnd(one.subarray(-endBytes), one.length);
  const list = one.subarray(offset, offset + sizeBytes);
  expect(() =>
    decodeIndex(Buffer.concat([list, list]), { count: 2, offset, sizeBytes: 2 * sizeBytes }),
  ).toThrow(RangeError);
});
