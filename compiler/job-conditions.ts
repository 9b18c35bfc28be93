/** Whether a job that the workflow wants to start may run: `when` of stage and job against outcomes. Pure. */
import type { PlanClause, PlanJob, PlanStage } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobStart } from "@forgeline/schemas/pipelines/run-activities.ts";
import { judgeWhen, type LanguageContext } from "./plan-language.ts";

/** The condition depends on how earlier parts ended, in another way than the default `success`. */
export function checksStatus(when: readonly PlanClause[]): boolean {
  return when.some((clause) => clause.status !== undefined && clause.status !== "success");
}

export function runsAlways(when: readonly PlanClause[]): boolean {
  return when.some((clause) => clause.status === "always");
}

export type Verdict = { runs: true } | { runs: false; reason: string; stageReason: string | null };

export interface Question {
  stage: PlanStage;
  job: PlanJob;
  start: Pick<JobStart, "outcome" | "stageOutcome" | "blocked">;
  context: LanguageContext;
}

/** Throws an `Error` when an `if` cannot be evaluated. */
export function judgeJob(question: Question): Verdict {
  const { stage, job, start, context } = question;
  const ofStage = judgeWhen(stage.when, stage.when.length > 0 ? start.stageOutcome : "success", context);
  if (!ofStage.run) {
    return { runs: false, reason: `stage_skipped:${stage.name}`, stageReason: ofStage.reason };
  }
  // A stage whose own condition allows this outcome decides for its jobs.
  const stageAnswered = job.needs === null && checksStatus(stage.when);
  const blocked = stageAnswered ? null : start.blocked;
  const reason = blocked && `${blocked.reason}:${blocked.by}`;
  const stageReason = blocked?.reason === "stage_skipped" ? `need_failed:${blocked.by}` : null;
  if (reason && !mayRunBlocked(job, start)) return { runs: false, reason, stageReason };
  const answers = [start.outcome, ...(stageAnswered ? (["success"] as const) : [])].map((outcome) =>
    judgeWhen(job.when, outcome, context),
  );
  if (answers.some((answer) => answer.run)) return { runs: true };
  const [answer] = answers;
  return { runs: false, reason: reason ?? (answer && !answer.run ? answer.reason : "when"), stageReason };
}

/** `failure` and `always` run after a failed dependency; a skipped need stops everything but `always`. */
function mayRunBlocked(job: PlanJob, start: Question["start"]): boolean {
  const onlySkipped = start.blocked?.reason === "need_skipped" && start.outcome === "success";
  return onlySkipped ? runsAlways(job.when) : checksStatus(job.when);
}
