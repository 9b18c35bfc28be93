/** Results of tests as tools write them, and files that are made to do harm. */
import { expect, test } from "vitest";
import { readReports } from "@forgeline/server/domains/pipelines/reports/parse/read-reports.ts";

const read = (content: string | Buffer) =>
  readReports([{ kind: "junit", step: null, path: "a.xml", bytes: Buffer.from(content) }]);
const problem = (content: string | Buffer) => read(content).problems.map(({ message }) => message);
const passed = { status: "passed", message: null, details: null };

test("suites, classes, times, failures, errors and skipped tests are read", () => {
  const { tests, problems } = read(`<?xml version="1.0" encoding="UTF-8"?>
    <testsuites><testsuite name="outer"><properties><property name="a"/></properties>
      <testsuite name="inner"><testcase name="adds" time="0.0125"/></testsuite>
      <testcase classname="Sum" name="subtracts" time="1,000.5">
        <failure message="expected 1" type="Assertion">at sum.ts:3 &lt;b&gt;<![CDATA[ & more]]></failure>
        <failure message="second"/><system-out>printed</system-out></testcase>
      <testcase classname="Sum" name="breaks" time="x"><error type="TypeError">first line
second</error></testcase>
      <testcase name="waits"><skipped/></testcase>
    </testsuite></testsuites>`);
  expect(problems).toEqual([]);
  expect(tests).toEqual([
    { suite: "inner", name: "adds", durationMs: 13, ...passed },
    {
      suite: "Sum",
      name: "subtracts",
      durationMs: 1_000_500,
      status: "failed",
      message: "expected 1",
      details: "at sum.ts:3 <b> & more",
    },
    {
      suite: "Sum",
      name: "breaks",
      durationMs: null,
      status: "failed",
      message: "TypeError",
      details: "first line\nsecond",
    },
    { suite: "outer", name: "waits", durationMs: null, status: "skipped", message: null, details: null },
  ]);
});

test("a failure that was followed by a success is both, as Surefire tells it", () => {
  const { tests } = read(
    '<testsuite name="s"><testcase name="t"><flakyFailure message="m"/></testcase></testsuite>',
  );
  expect(tests.map(({ status }) => status)).toEqual(["failed", "passed"]);
});

test("a billion laughs, and entities from outside, are an error", () => {
  const laughs = Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`,
  ).join("");
  const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY lol0 "lol">${laughs}]><testsuite><testcase name="&lol9;"/></testsuite>`;
  expect(problem(bomb)).toEqual([
    expect.stringMatching(/not sound XML: undefined entity.*cannot define entities/),
  ]);
  const outside =
    '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]><testsuite><testcase name="a">&file;</testcase></testsuite>';
  expect(problem(outside)).toEqual([expect.stringContaining("undefined entity")]);
});

test.each<[string, string | Buffer, RegExp]>([
  ["a depth without end", "<testsuite>".repeat(100_000), /nested more than 64 deep/],
  ["something that is cut off", '<testsuite><testcase name="a">', /not sound XML: unclosed tag/],
  ["another kind of XML", "<html/>", /begins with <html>, not with <testsuites> or <testsuite>/],
  ["no XML", "junit", /not sound XML/],
  ["nothing", "", /not sound XML/],
  ["bytes that are not UTF-8", Buffer.from([0x3c, 0xff, 0xfe]), /not valid UTF-8 text/],
  [
    "an unknown encoding",
    '<?xml version="1.0" encoding="klingon"?><testsuite/>',
    /encoding "klingon" is not known/,
  ],
])("of %s people are told", (_, content, expected) => {
  expect(problem(content)).toEqual([expect.stringMatching(expected)]);
});

test("other encodings are read as they say", () => {
  const latin = Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="grün"/></testsuite>',
    "latin1",
  );
  expect(read(latin).tests[0]?.name).toBe("grün");
  const wide = Buffer.from('\uFEFF<testsuite><testcase name="wide"/></testsuite>', "utf16le");
  expect(read(wide).tests[0]?.name).toBe("wide");
});

test("there are limits for names, texts and numbers", () => {
  const failure = `<failure message="${"m".repeat(5_000)}">${"d".repeat(20_000)}</failure>`;
  const many = Array.from(
    { length: 20_050 },
    (_, n) => `<testcase name="${"n".repeat(600)}${n}">${n < 502 ? failure : ""}</testcase>`,
  );
  const { tests, problems } = read(`<testsuite>${many.join("")}</testsuite>`);
  expect(problems.map(({ message }) => message)).toEqual([
    "a job can report 20000 tests; the rest was left out",
  ]);
  expect(tests).toHaveLength(20_000);
  expect(tests[0]).toMatchObject({
    name: expect.stringMatching(/^n{499}…$/),
    message: expect.stringMatching(/^m{999}…$/),
    details: expect.stringMatching(/^d{7999}…$/),
  });
  expect(tests[501]).toMatchObject({ status: "failed", details: null });
});
