/**
 * Keeps the container of a failed job for a shell, where that was asked for. All that the job leaves was taken before, and its result
 * is decided: neither a shell nor a stop that comes meanwhile changes it.
 */
import type { PreparedJob } from "./job-context.ts";
import type { Outcome } from "./outcome.ts";
import { decidingStep } from "./run-steps.ts";

/** Resolves when the container need not be kept any more. A restarted agent keeps it until the same time. */
export async function keepContainer(job: PreparedJob, failure: Outcome | null): Promise<void> {
  const { record, shells, stop } = job;
  const hasFailed = failure !== null || decidingStep(job) !== null;
  if (stop.asked.aborted || !hasFailed || shells.keepMs === null) return;
  record.keptUntilMs ??= Date.now() + shells.keepMs;
  await job.save().catch(() => undefined);
  const leftMs = record.keptUntilMs - Date.now();
  if (leftMs <= 0) return;
  job.reports.kept(leftMs);
  await shells.keep(leftMs, stop.asked);
}
