/** A mark counts for as long as the change of the file is the one that was seen. */
import { expect, test } from "vitest";
import { seenChange, sortMarks } from "@forgeline/server/domains/collaboration/viewed-files/seen-change.ts";

const side = (oid: string, mode = "100644") => ({ oid, mode, kind: "file" as const });
const change = (path: string, before: string | null, after: string | null, mode?: string) => ({
  path,
  previousPath: null,
  before: before === null ? null : side(before),
  after: after === null ? null : side(after, mode),
});
const mark = (...of: Parameters<typeof change>) => ({ path: of[0], ...seenChange(change(...of)) });

test("marks fall with either side, the mode, and where the file is gone", () => {
  const marks = [
    mark("added", null, "1"),
    mark("base", "1", "2"),
    mark("deleted", "1", null),
    mark("head", "1", "2"),
    mark("mode", "1", "2"),
    mark("gone", "1", "2"),
  ];
  const files = [
    change("added", null, "1"),
    change("base", "0", "2"),
    change("deleted", "1", null),
    change("head", "1", "3"),
    change("mode", "1", "2", "100755"),
    change("new", "1", "2"),
  ];
  expect(sortMarks(marks, files)).toEqual({
    viewed: ["added", "deleted"],
    changed: ["base", "head", "mode"],
  });
});
