import { expect, test } from "vitest";
import { lineOfHunk } from "@forgeline/server/domains/automation/imports/archives/line-of-hunk.ts";

test.each([
  ["an added line", "@@ -1,2 +1,4 @@\n # a\n b\n+c", { side: "new", line: 3 }],
  ["a removed line", "@@ -10,3 +12,2 @@ func\n a\n-b\n-c", { side: "old", line: 12 }],
  ["a line that stays", "@@ -10,3 +12,2 @@\n-a\n-b\n c", { side: "new", line: 12 }],
  ["no newline at the end", "@@ -0,0 +1 @@\n+topic\n\\ No newline at end of file", { side: "new", line: 1 }],
  ["no line", "@@ -1 +1 @@", undefined],
  ["no patch", "text", undefined],
  ["nothing", "", undefined],
])("a piece of a patch that ends with %s", (_what, hunk, expected) => {
  expect(lineOfHunk(hunk)).toEqual(expected);
});
