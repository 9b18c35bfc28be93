/** What an ended step wrote to `$CI_SUMMARY` and `$CI_ANNOTATIONS`: taken as it is, without secrets; the server reads what it means. */
import { lstat } from "node:fs/promises";
import { maxAnnotationFileBytes, maxSummaryBytes } from "@forgeline/schemas/reports/limits.ts";
import type { RunningStep } from "../engine/engine.ts";
import { readJobFile } from "../engine/job-file.ts";
import { secretEncodings } from "../logs/secret-encodings.ts";
import type { JobContext } from "./job-context.ts";
import { hiddenValues } from "./job-secrets.ts";
import { masked } from "./masked-copy.ts";
import { keepStepReport, keptStepReports, type StepReport } from "./report-directory.ts";
import { warn } from "./warn.ts";

type Job = Pick<JobContext, "spec" | "record" | "settings">;

/** Problems become warnings: a step never fails through what it reports. */
export async function readStepReports(job: Job, step: number, running: RunningStep): Promise<void> {
  await take(job, { kind: "summary", step }, running.summaryFile);
  await take(job, { kind: "annotations", step }, running.annotationsFile);
}

const variables = { summary: "$CI_SUMMARY", annotations: "$CI_ANNOTATIONS" } as const;

async function take(job: Job, report: StepReport, file: string): Promise<void> {
  const where = `Step ${report.step + 1}, ${variables[report.kind]}`;
  const read = await readJobFile(file, maxBytesOf(report.kind) + 1);
  if (read === null && !(await isAbsent(file)))
    warn(job.record, `${where}: what the step left there is no file that the runner may read.`);
  if (read === null || read.length === 0) return;
  const bytes = masked(secretEncodings(hiddenValues(job.spec)), read);
  const limit = await roomFor(job, report);
  if (bytes.length > limit) warn(job.record, `${where}: ${cutWords(report.kind)}`);
  await keepStepReport(job, report, wholeLines(bytes, limit));
}

function maxBytesOf(kind: StepReport["kind"]): number {
  return kind === "summary" ? maxSummaryBytes : maxAnnotationFileBytes;
}

/** A job has one limit for its summary, whichever step wrote it. */
async function roomFor(job: Job, { kind, step }: StepReport): Promise<number> {
  if (kind === "annotations") return maxAnnotationFileBytes;
  const others = (await keptStepReports(job)).filter((kept) => kept.kind === kind && kept.step !== step);
  return maxSummaryBytes - others.reduce((sum, { bytes }) => sum + bytes, 0);
}

function cutWords(kind: StepReport["kind"]): string {
  return kind === "summary"
    ? `the summary of a job can have ${maxSummaryBytes} bytes; the rest was left out.`
    : `a step can write ${maxAnnotationFileBytes} bytes of annotations; the rest was left out.`;
}

/** No line is cut in the middle, and so no character. */
function wholeLines(bytes: Buffer, limit: number): Buffer {
  if (bytes.length <= limit) return bytes;
  return bytes.subarray(0, bytes.lastIndexOf("\n", Math.max(0, limit - 1)) + 1);
}

async function isAbsent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT",
  );
}
