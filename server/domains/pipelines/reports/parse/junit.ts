/** Results of tests in the form of JUnit, which many tools write, each a little differently. Pure. */
import { maxDetailsChars, maxTestMessageChars, maxTestNameChars } from "@forgeline/schemas/reports/limits.ts";
import type { FoundTest } from "./found.ts";
import { ReportError } from "./found.ts";
import { shortened, shortenedOrNull } from "./report-text.ts";
import { readXml } from "./xml.ts";

/** What a case holds that says how it ended, by element. Surefire tells failures before a success as `flaky…`. */
const outcomes: Readonly<Record<string, FoundTest["status"]>> = {
  failure: "failed",
  error: "failed",
  skipped: "skipped",
  flakyFailure: "failed",
  flakyError: "failed",
};
const maxSeconds = 30 * 86_400;

interface OpenCase {
  suite: string;
  name: string;
  durationMs: number | null;
  /** The first of its outcomes; none for a success. */
  outcome: { element: string; message: string; details: string } | null;
}

/** Gives each case to `take`, in order. Throws `ReportError`. */
export function readJunit(bytes: Uint8Array, take: (test: FoundTest) => void): void {
  const path: string[] = [];
  const suites: string[] = [];
  let open: OpenCase | null = null;
  let inOutcome = false;
  readXml(bytes, {
    open(name, attributes) {
      if (path.length === 0 && name !== "testsuites" && name !== "testsuite")
        throw new ReportError(
          `it begins with <${shortened(name, 40)}>, not with <testsuites> or <testsuite>`,
        );
      if (name === "testsuite") suites.push(attributes["name"] ?? "");
      else if (name === "testcase") open = caseOf(attributes, suites.at(-1) ?? "");
      else if (open && path.at(-1) === "testcase" && name in outcomes && open.outcome === null) {
        const message = attributes["message"] ?? attributes["type"] ?? "";
        open.outcome = { element: name, message, details: "" };
        inOutcome = true;
      }
      path.push(name);
    },
    text(text) {
      if (inOutcome && open?.outcome && open.outcome.details.length < maxDetailsChars)
        open.outcome.details += text.slice(0, maxDetailsChars + 1);
    },
    close(name) {
      path.pop();
      if (name === "testsuite") suites.pop();
      else if (name === "testcase" && open) {
        for (const test of testsOf(open)) take(test);
        open = null;
        inOutcome = false;
      } else if (path.at(-1) === "testcase") inOutcome = false;
    },
  });
}

function caseOf(attributes: Readonly<Record<string, string>>, suite: string): OpenCase {
  const name = shortenedOrNull(attributes["name"], maxTestNameChars) ?? "(without a name)";
  const within = shortened(attributes["classname"] ?? suite, maxTestNameChars).trim();
  return { suite: within, name, durationMs: durationOf(attributes["time"]), outcome: null };
}

/** Seconds, perhaps as `1,234.5`. */
function durationOf(time: string | undefined): number | null {
  const seconds = Number(time?.replaceAll(",", "") ?? Number.NaN);
  if (time?.trim() === "" || !Number.isFinite(seconds) || seconds < 0) return null;
  return Math.round(Math.min(seconds, maxSeconds) * 1000);
}

function testsOf({ suite, name, durationMs, outcome }: OpenCase): FoundTest[] {
  const passed: FoundTest = { suite, name, durationMs, status: "passed", message: null, details: null };
  if (!outcome) return [passed];
  const details = shortenedOrNull(outcome.details, maxDetailsChars);
  const [firstLine = ""] = details?.split("\n") ?? [];
  const message =
    shortenedOrNull(outcome.message, maxTestMessageChars) ?? shortenedOrNull(firstLine, maxTestMessageChars);
  const status = outcomes[outcome.element] ?? "failed";
  const found: FoundTest = { ...passed, status, message, details: details === message ? null : details };
  return outcome.element.startsWith("flaky") ? [found, passed] : [found];
}
