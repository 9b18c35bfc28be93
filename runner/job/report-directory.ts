/**
 * Where the runner keeps what a job reports until it is uploaded: copies of its own, without secrets, which nothing in the job can
 * change any more. They outlive the agent, and go with the job.
 */
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { leaseKey } from "../state/job-record.ts";
import type { JobContext } from "./job-context.ts";

type Place = Pick<JobContext, "settings" | "record">;

/** The directory, which is there. */
export async function reportDirectory({ settings, record }: Place): Promise<string> {
  const directory = join(settings.checkoutDir, leaseKey(record), "reports");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return directory;
}

export interface StepReport {
  kind: "summary" | "annotations";
  step: number;
}

const nameOf = ({ kind, step }: StepReport) => `${kind}-${step}`;

export async function keepStepReport(job: Place, report: StepReport, bytes: Buffer): Promise<void> {
  await writeFile(join(await reportDirectory(job), nameOf(report)), bytes, { mode: 0o600 });
}

/** Of all steps, by their position. */
export async function keptStepReports(job: Place): Promise<(StepReport & { name: string; bytes: number })[]> {
  const directory = await reportDirectory(job);
  const kept = [];
  for (const name of await readdir(directory)) {
    const [, kind, step] = /^(summary|annotations)-(\d+)$/.exec(name) ?? [];
    if (kind !== "summary" && kind !== "annotations") continue;
    const { size } = await stat(join(directory, name));
    kept.push({ kind, step: Number(step), name, bytes: size } as const);
  }
  return kept.toSorted((a, b) => a.step - b.step || (a.kind < b.kind ? 1 : -1));
}
