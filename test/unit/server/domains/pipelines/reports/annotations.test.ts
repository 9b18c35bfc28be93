/** What a step may write to `$CI_ANNOTATIONS`, and what is said of the rest. */
import { expect, test } from "vitest";
import { readAnnotations } from "@forgeline/server/domains/pipelines/reports/parse/annotations.ts";

const read = (text: string) => readAnnotations(text, 0);
const one = (line: string) => read(line).annotations[0];

test("both forms say the same", () => {
  const expected = {
    step: 0,
    level: "warning",
    path: "a b.ts",
    line: 3,
    endLine: 3,
    title: null,
    message: "x :: y",
    source: null,
  };
  expect(one('warning file="a b.ts" line=3::x :: y')).toEqual(expected);
  expect(one('{"level":"warning","file":"a b.ts","line":3,"message":"x :: y"}')).toEqual(expected);
});

test.each([
  [
    "::error file=a b.js,line=3,endLine=5,col=2,endColumn=9,title=No, never::x%0Ay %25",
    5,
    "No, never",
    "x\ny %",
  ],
  ["::error file=a b.js,line=3,endLine=5::C:\\new", 5, null, "C:\\new"],
  ['error file="a b.js",line=3, endLine=5::x\\ny', 5, null, "x\ny"],
  ["::error file=a b.js line=3::x", 3, null, "x"],
])("as GitHub has them: %s", (line, endLine, title, message) => {
  expect(read(line)).toEqual({
    annotations: [
      { step: 0, level: "error", path: "a b.js", line: 3, endLine, title, message, source: null },
    ],
    problems: [],
  });
});

test("a file may have a comma in its name", () => {
  expect(one("error file=a,b.js,line=3::x")).toMatchObject({ path: "a,b.js", line: 3 });
  expect(one('error file="a,line=3.js"::x')).toMatchObject({ path: "a,line=3.js", line: null });
  expect(one("::error file=a%2Cline=3.js::x")).toMatchObject({ path: "a,line=3.js", line: null });
  expect(one("::error::x")).toMatchObject({ path: null, message: "x" });
});

test.each([
  ["fatal::x", "the level must be one of error, warning, notice"],
  ["error file=a line=0::x", '"line" must be the number of a line, from 1'],
  ["error file=a line=x::x", '"line" must be the number of a line, from 1'],
  ["error line=3::x", '"line" needs "file"'],
  ["error::", "it has no message"],
  ["error file=/etc/passwd::x", '"file" must be a path in the repository'],
  ["error file=a/../../b::x", '"file" must be a path in the repository'],
  ["error colour=red::x", 'there is no key "colour"'],
  ["error file=a,colour=red::x", 'there is no key "colour"'],
  ["::group::x", "the level must be one of error, warning, notice"],
  ["error oops::x", '"oops" is not of the form KEY=VALUE'],
  ["{", "it begins with { but is not JSON"],
  ['{"message":3}', "it has no message"],
  ["just text", 'write it as JSON, or as "LEVEL file=PATH line=NUMBER::MESSAGE"'],
])("%s: %s", (line, problem) => {
  expect(read(`\n${line}\nnotice::after`)).toMatchObject({
    annotations: [{ message: "after" }],
    problems: [`line 2: ${problem}`],
  });
});

test("there are limits for their number, their texts and what is told of mistakes", () => {
  expect(read("error::x\n".repeat(101))).toMatchObject({
    annotations: { length: 100 },
    problems: ["line 101: a step can have 100 annotations; the rest was left out"],
  });
  expect(read("nonsense\n".repeat(50)).problems).toHaveLength(5);
  expect(one(`error title=${"t".repeat(500)}::${"😀".repeat(4_000)}`)).toMatchObject({
    title: expect.stringMatching(/^t{199}…$/),
    message: expect.stringMatching(/^(?:😀)+…$/u),
  });
});

test("a long line without an end of what it looks for takes no long time", () => {
  for (const begin of ["error", "::error"])
    for (const part of ['a="\\', ",", " ", ", a", " a"])
      for (const key of ["", " a="])
        expect(read(`${begin}${key} ${part.repeat(100_000)}?::x`).annotations).toEqual([]);
});
