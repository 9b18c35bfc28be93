/** A job that must not run, because of its conditions or of what it depends on. Pure: changes the record only. */
import { reasonSentence } from "./reasons.ts";
import { moveJob, type RunJob, type RunRecord } from "./run-record.ts";

export function skipJob(
  run: RunRecord,
  row: RunJob,
  verdict: { reason: string; stageReason: string | null },
): void {
  // `stage_skipped` has no detail; the stage's own reason has.
  const reason = verdict.reason.replace(/^stage_skipped:.*/, "stage_skipped");
  moveJob(run, row, { event: "skip", reason, message: reasonSentence(verdict.reason) });
  const message = reasonSentence(verdict.stageReason);
  if (verdict.stageReason && message)
    run.stageReasons.set(row.stage_id, { reason: verdict.stageReason, message });
}
