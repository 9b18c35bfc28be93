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

test("whatever is changed in it, it is read or refused, and never leads out of the artifact", () => {
  const { offset } = decodeEnd(bytes.subarray(-endBytes), bytes.length);
  let refused = 0;
  for (let at = offset; at < bytes.length; at += 1)
    for (const value of [0, 1, 0x2e, 0x2f, 0x7f, 0xff]) {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      try {
        for (const entry of read(changed)) {
          expect(entry.offset + entry.sizeBytes).toBeLessThanOrEqual(bytes.length);
          expect(entry.path.split("/")).not.toContain("..");
        }
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        refused += 1;
      }
    }
  expect(refused).toBeGreaterThan(100);
});

test("two files of one path are refused", () => {
  const one = zipOf({ a: "1" });
  const { offset, sizeBytes } = decodeEnd(one.subarray(-endBytes), one.length);
  const list = one.subarray(offset, offset + sizeBytes);
  expect(() =>
    decodeIndex(Buffer.concat([list, list]), { count: 2, offset, sizeBytes: 2 * sizeBytes }),
  ).toThrow(RangeError);
});
