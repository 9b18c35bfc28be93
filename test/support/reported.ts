/** What the jobs of a run have reported, in the words of `ReportsExpectation`: as REST shows it, and as `forgeline exec --json` prints it. */
import { expect } from "vitest";
import type { z } from "zod";
import type { FileCoverage } from "@forgeline/schemas/coverage/routes.ts";
import type { Annotation, JobReports } from "@forgeline/schemas/reports/resource.ts";
import type { RunTest } from "@forgeline/schemas/tests/resource.ts";
import { eventually } from "./eventually.ts";
import type { ReportsExpectation } from "./scenario.ts";

/** `ask` answers what is below the run. Reports are read after the job has ended. */
export async function expectReported(
  ask: <T>(part: string) => Promise<T>,
  wanted: ReportsExpectation,
): Promise<void> {
  const reports = await eventually(async () => {
    const found = await ask<JobReports[]>("reports");
    if (found.every(({ state }) => state === "read")) return found;
    throw new Error("some reports are not read yet");
  });
  const [annotations, tests, coverage] = await Promise.all([
    ask<Annotation[]>("annotations"),
    ask<z.infer<typeof RunTest>[]>("tests"),
    ask<z.infer<typeof FileCoverage>[]>("coverage"),
  ]);
  expect({
    annotations: annotations.map(annotationText),
    tests: tests.map(({ test, status, message }) => testText({ ...test, status, message })),
    coverage: coverage.map((file) => `${file.path} ${file.lines_covered}/${file.lines_total}`),
    summary: reports.map(({ summary }) => summary ?? "").join(""),
    problems: reports.flatMap(({ job, problems }) => problems.map(({ message }) => `${job.key}: ${message}`)),
  }).toEqual(wanted);
}

type Noted = Pick<Annotation, "level" | "path" | "line" | "title" | "message" | "source">;

function annotationText({ level, path, line, title, message, source }: Noted): string {
  const text = [title, message].filter(Boolean).join(": ");
  return `${level} ${path ?? "-"}:${line ?? "-"} ${text}${source === null ? "" : ` (${source})`}`;
}

function testText({
  suite,
  name,
  status,
  message,
}: {
  suite: string;
  name: string;
  status: string;
  message: string | null;
}): string {
  return `${status} ${suite} ${name}${message === null ? "" : `: ${message}`}`;
}

/** One `reports` of `exec --json`. */
interface Printed {
  job: string;
  annotations: Noted[];
  tests: Parameters<typeof testText>[0][];
  coverage: { path: string; covered: number; total: number }[];
  summary: string;
  problems: { message: string }[];
}

/** The order of tests and annotations is that of the reports, which a page sorts. */
export function expectPrinted(printed: readonly Printed[], wanted: ReportsExpectation): void {
  const sorted = (texts: readonly string[]) => texts.toSorted();
  expect({
    annotations: sorted(printed.flatMap(({ annotations }) => annotations.map(annotationText))),
    tests: sorted(printed.flatMap(({ tests }) => tests.map(testText))),
    coverage: printed.flatMap(({ coverage }) =>
      coverage.map((file) => `${file.path} ${file.covered}/${file.total}`),
    ),
    summary: printed.map(({ summary }) => summary).join(""),
    problems: printed.flatMap(({ job, problems }) => problems.map(({ message }) => `${job}: ${message}`)),
  }).toEqual({ ...wanted, annotations: sorted(wanted.annotations), tests: sorted(wanted.tests) });
}
