/** Reads what a job reports. Pure; runs in a thread, since the bytes are the job's and may be made to be slow or large. */
import { maxJobAnnotations, maxReportProblems } from "@forgeline/schemas/reports/limits.ts";
import type { ReportFile } from "@forgeline/schemas/reports/manifest.ts";
import { readAnnotations } from "./annotations.ts";
import { nothingFound, ReportError, type FoundReports } from "./found.ts";
import { decodeText, shortened } from "./report-text.ts";
import { collectCoverage } from "./coverage.ts";
import { readSarif } from "./sarif.ts";
import { collectTests } from "./tests.ts";

export interface GivenReport extends Pick<ReportFile, "kind" | "step" | "path"> {
  bytes: Uint8Array;
}

/** In the order in which they are given. A report that cannot be read is a problem, and the others are read all the same. */
export function readReports(given: readonly GivenReport[]): FoundReports {
  const found = nothingFound();
  const told = new Set<string>();
  for (const { kind, step, path, bytes } of given) {
    const problem = (message: string) => {
      if (found.problems.length >= maxReportProblems || told.has(`${kind} ${step} ${path} ${message}`))
        return;
      told.add(`${kind} ${step} ${path} ${message}`);
      found.problems.push({ kind, step, path, message: shortened(message, 500) });
    };
    try {
      for (const message of readers[kind]({ step, bytes }, found)) problem(message);
    } catch (error) {
      problem(error instanceof ReportError ? error.message : "it could not be read");
    }
    if (found.annotations.length > maxJobAnnotations) {
      found.annotations.length = maxJobAnnotations;
      problem(`a job can have ${maxJobAnnotations} annotations; the rest was left out`);
    }
  }
  return found;
}

/** Adds to what is found, and gives what is wrong. Throws `ReportError` for what cannot be read at all. */
type Reader = (report: Pick<GivenReport, "step" | "bytes">, found: FoundReports) => string[];

const readers: Readonly<Record<ReportFile["kind"], Reader>> = {
  summary({ bytes }, found) {
    const text = decodeText(bytes).replaceAll("\0", "");
    found.summary += found.summary === "" || found.summary.endsWith("\n") ? text : `\n\n${text}`;
    return [];
  },
  annotations({ step, bytes }, found) {
    const { annotations, problems } = readAnnotations(decodeText(bytes), step);
    found.annotations.push(...annotations);
    return problems;
  },
  coverage: ({ bytes }, found) => collectCoverage(bytes, found),
  sarif: ({ bytes }, found) =>
    readSarif(bytes, (annotation) => {
      found.annotations.push(annotation);
      return found.annotations.length <= maxJobAnnotations;
    }),
  junit: ({ bytes }, found) => collectTests(bytes, found),
};
