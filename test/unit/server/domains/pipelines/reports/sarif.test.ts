/** Findings as tools write them, and files that are made to do harm. */
import { expect, test } from "vitest";
import { maxSarifBytes } from "@forgeline/schemas/reports/limits.ts";
import { readReports } from "@forgeline/server/domains/pipelines/reports/parse/read-reports.ts";

const readText = (content: string | Buffer) =>
  readReports([{ kind: "sarif", step: null, path: "a.sarif", bytes: Buffer.from(content) }]);
const read = (results: unknown[]) =>
  readText(JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "lint" } }, results }] }));
const at = (uri: unknown, region?: unknown) => [
  { physicalLocation: { artifactLocation: { uri }, ...(region === undefined ? {} : { region }) } },
];

test("findings become annotations at their lines, with tool and rule", () => {
  const { annotations, problems } = read([
    {
      ruleId: "no-eval",
      level: "error",
      message: { text: "<b>x</b>" },
      locations: at("src/a%20b.ts", { startLine: 3, endLine: 5 }),
    },
    { message: { text: "absolute" }, locations: at("file:///workspace/src/c.ts", { startLine: 1 }) },
    { level: "note", message: { text: "outside" }, locations: at("../../etc/passwd", { startLine: 1 }) },
    { kind: "pass", message: { text: "fine" } },
    { level: 3, message: { text: "odd" }, locations: at(7, { startLine: -1 }) },
  ]);
  expect(problems).toEqual([]);
  expect(annotations).toMatchObject([
    { level: "error", path: "src/a b.ts", line: 3, endLine: 5, message: "<b>x</b>", source: "lint no-eval" },
    { level: "warning", path: "src/c.ts", line: 1, endLine: 1, source: "lint" },
    { level: "notice", path: null, line: null },
    { level: "warning", path: null, line: null, message: "odd" },
  ]);
});

test("what is not understood is counted, and the rest is read", () => {
  expect(read([null, 3, { message: "no" }, { message: { text: "yes" } }])).toMatchObject({
    annotations: [{ message: "yes" }],
    problems: [{ message: "3 of its results or runs could not be understood" }],
  });
});

test.each<[string, string | Buffer, RegExp]>([
  ["no JSON", "{", /not JSON/],
  ["another version", '{"version":"1.0.0","runs":[]}', /not SARIF 2\.1\.0/],
  [
    "a depth without end",
    `{"version":"2.1.0","runs":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    /could not be understood/,
  ],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff]), /not valid UTF-8 text/],
  ["a file that is too large", Buffer.alloc(maxSarifBytes + 1, " "), /can have 10485760/],
])("of %s people are told", (_, content, expected) => {
  const { problems, annotations } = readText(content);
  expect(annotations).toEqual([]);
  expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(expected)]);
});

test("a job has only so many annotations", () => {
  const { annotations, problems } = read(Array.from({ length: 1_500 }, () => ({ message: { text: "x" } })));
  expect(annotations).toHaveLength(1_000);
  expect(problems).toMatchObject([{ message: "a job can have 1000 annotations; the rest was left out" }]);
});
