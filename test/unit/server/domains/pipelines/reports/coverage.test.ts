/** Coverage in its three forms, and what is neither. */
import { expect, test } from "vitest";
import { readReports } from "@forgeline/server/domains/pipelines/reports/parse/read-reports.ts";

const read = (content: string | Buffer) =>
  readReports([{ kind: "coverage", step: null, path: "a", bytes: Buffer.from(content) }]);

test("Cobertura: lines of a file count once, those of methods with them", () => {
  const { coverage, problems } = read(`<?xml version="1.0"?>
    <!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
    <coverage><packages><package name="p"><classes>
      <class filename="src/a.py"><methods><method><lines><line number="1" hits="1"/></lines></method></methods>
        <lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class>
      <class filename="src/a.py"><lines><line number="2" hits="3"/><line number="9" hits="0"/></lines></class>
      <class filename="empty.py"><lines/></class>
    </classes></package></packages></coverage>`);
  expect(problems).toEqual([]);
  expect(coverage).toEqual([{ path: "src/a.py", covered: 2, total: 3 }]);
});

test("JaCoCo: files of packages", () => {
  const { coverage } = read(`<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">
    <report name="x"><group name="g"><package name="com/acme"><class name="com/acme/A"><method name="m"/></class>
      <sourcefile name="A.java"><line nr="3" mi="0" ci="2"/><line nr="4" mi="1" ci="0"/><counter type="LINE" missed="1" covered="1"/></sourcefile>
    </package></group></report>`);
  expect(coverage).toEqual([{ path: "com/acme/A.java", covered: 1, total: 2 }]);
});

test("LCOV: records, also several of one file", () => {
  const { coverage } = read(
    "TN:\nSF:/workspace/src/a.ts\nDA:1,5\nDA:2,0\nDA:x,1\nend_of_record\nDA:7,1\nSF:src/a.ts\nDA:2,1\nend_of_record\n",
  );
  expect(coverage).toEqual([{ path: "src/a.ts", covered: 2, total: 2 }]);
});

test.each<[string, string | Buffer, RegExp]>([
  ["another kind of XML", "<html/>", /begins with <html>/],
  ["something else", "hello", /must be Cobertura, JaCoCo or LCOV/],
  ["entities", '<!DOCTYPE coverage [<!ENTITY a "b">]><coverage>&a;</coverage>', /undefined entity/],
  ["bytes that are not UTF-8", Buffer.from([0x53, 0x46, 0x3a, 0xff]), /not valid UTF-8/],
])("of %s people are told", (_, content, expected) => {
  expect(read(content).problems.map(({ message }) => message)).toEqual([expect.stringMatching(expected)]);
});

test("a job has a limit of files", () => {
  const many = Array.from({ length: 20_001 }, (_, n) => `SF:f${n}\nDA:1,1\nend_of_record\n`).join("");
  const { coverage, problems } = read(many);
  expect(coverage).toHaveLength(20_000);
  expect(problems).toMatchObject([
    { message: "a job can report the coverage of 20000 files; the rest was left out" },
  ]);
});
