/** What jobs of a local run reported, below its outcome: tests that failed, annotations, coverage, and what could not be read. */
import { colors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import type { JobReports } from "./load.ts";

type Test = JobReports["tests"][number];
type Annotation = JobReports["annotations"][number];

/** Failed tests, and annotations, that are listed at most. */
const mostListed = 20;
const levels = ["error", "warning", "notice"] as const;
const paints: Record<Annotation["level"], typeof colors.red> = {
  error: colors.red,
  warning: colors.yellow,
  notice: colors.cyan,
};

/** Lines without their newline; none where nothing was reported. */
export function renderReports(
  reports: readonly JobReports[],
  placeOf: (test: Test) => string | null,
): string[] {
  const blocks = [
    testLines(reports, placeOf),
    annotationLines(reports),
    coverageLines(reports),
    problemLines(reports),
  ];
  return blocks.filter((lines) => lines.length > 0).flatMap((lines) => ["", ...lines]);
}

function testLines(reports: readonly JobReports[], placeOf: (test: Test) => string | null): string[] {
  const tests = reports.flatMap((one) => one.tests.map((test) => ({ ...test, label: one.label })));
  if (tests.length === 0) return [];
  const failed = tests.filter(({ status }) => status === "failed");
  const skipped = tests.filter(({ status }) => status === "skipped").length;
  const parts = [
    counted(tests.length, "test"),
    ...(failed.length > 0 ? [colors.red(`${failed.length} failed`)] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  const listed = failed.map((test) => {
    const where = placeOf(test);
    const name = [test.suite, test.name].filter(Boolean).join(" › ");
    const said = test.message?.split("\n")[0] ?? "";
    return row(
      colors.red("✗"),
      `${colors.bold(terminalSafe(name))}${said ? `: ${terminalSafe(said)}` : ""}`,
      [where, test.label],
    );
  });
  return [parts.join(", "), ...shortened(listed)];
}

function annotationLines(reports: readonly JobReports[]): string[] {
  const all = reports
    .flatMap((one) => one.annotations.map((annotation) => ({ ...annotation, label: one.label })))
    .toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  if (all.length === 0) return [];
  const counts = levels
    .map((level) => [all.filter((one) => one.level === level).length, level] as const)
    .filter(([count]) => count > 0);
  const listed = all.map(({ level, path, line, title, message, source, label }) => {
    const text = [title, message.split("\n")[0]].filter(Boolean).join(": ");
    const place = path === null ? null : `${path}${line === null ? "" : `:${line}`}`;
    return row(paints[level](level), terminalSafe(text), [place, source, label]);
  });
  return [counts.map(([count, level]) => counted(count, level)).join(", "), ...shortened(listed)];
}

function coverageLines(reports: readonly JobReports[]): string[] {
  const files = reports.flatMap(({ coverage }) => coverage);
  if (files.length === 0) return [];
  const total = files.reduce((sum, file) => sum + file.total, 0);
  const covered = files.reduce((sum, file) => sum + file.covered, 0);
  // Rounded down, as on the page of a run: 100% means all.
  const percent = total === 0 ? 100 : Math.floor((covered * 100) / total);
  return [`${percent}% of ${counted(total, "line")} covered, in ${counted(files.length, "file")}`];
}

function problemLines(reports: readonly JobReports[]): string[] {
  return reports.flatMap(({ label, problems }) =>
    problems.map(({ kind, path, step, message }) => {
      const where = path ?? (step === null ? kind : `${kind} of step ${step + 1}`);
      return colors.yellow(terminalSafe(`${label}: ${where}: ${message}`));
    }),
  );
}

function row(mark: string, text: string, where: readonly (string | null)[]): string {
  const behind = where.filter((one) => one !== null).map((one) => colors.dim(terminalSafe(one)));
  return `  ${[mark, text, ...behind].join("  ")}`;
}

function shortened(lines: readonly string[]): string[] {
  if (lines.length <= mostListed) return [...lines];
  return [...lines.slice(0, mostListed), colors.dim(`  … and ${lines.length - mostListed} more`)];
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
