/** Whether a job that the workflow wants to start may run: `when` of stage and job against outcomes. Pure. */
import type { PlanClause, PlanJob, PlanStage } from "@forgeline/schemas/pipeline/plan.ts";
import type { JobStart, Outcome } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { LanguageContext, PlanLanguage } from "./plan-language.ts";

/** The condition asks how something before it ended, other than by the default `success`. */
export function asksForStatus(when: readonly PlanClause[]): boolean {
  return when.some((clause) => clause.status !== undefined && clause.status !== "success");
}

export function saysAlways(when: readonly PlanClause[]): boolean {
  return when.some((clause) => clause.status === "always");
}

export type Verdict = { runs: true } | { runs: false; reason: string; stageReason: string | null };

export interface Question {
  stage: PlanStage;
  job: PlanJob;
  start: Pick<JobStart, "outcome" | "stageOutcome" | "blocked">;
  context: Omit<LanguageContext, "outcome">;
}

export function judgeJob(language: PlanLanguage, { stage, job, start, context }: Question): Verdict {
  const holds = (when: readonly PlanClause[], outcome: Outcome) =>
    language.evaluateWhen(when, { ...context, outcome });
  const stageAnswer = holds(stage.when, stage.when.length > 0 ? start.stageOutcome : "success");
  if (!stageAnswer.holds) {
    return {
      runs: false,
      reason: `stage_skipped:${stage.name}`,
      stageReason: `when:${stageAnswer.clause ?? ""}`,
    };
  }
  // A stage whose own condition asked for this outcome has answered for its jobs.
  const stageAnswered = job.needs === null && asksForStatus(stage.when);
  const blocked = stageAnswered ? null : start.blocked;
  const reason = blocked && `${blocked.reason}:${blocked.by}`;
  const stageReason = blocked?.reason === "stage_skipped" ? `need_failed:${blocked.by}` : null;
  if (reason && !asksForStatus(job.when)) return { runs: false, reason, stageReason };
  if (job.when.length === 0) {
    if (start.outcome === "success" || stageAnswered) return { runs: true };
    return { runs: false, reason: "stage_skipped", stageReason };
  }
  const answers = [holds(job.when, start.outcome), ...(stageAnswered ? [holds(job.when, "success")] : [])];
  if (answers.some((answer) => answer.holds) && !(reason && blocksAnyway(job, start))) return { runs: true };
  return { runs: false, reason: reason ?? `when:${answers[0]?.clause ?? ""}`, stageReason };
}

/** A need was skipped and nothing failed: only `always` goes on without it. */
function blocksAnyway(job: PlanJob, start: Question["start"]): boolean {
  return start.blocked?.reason === "need_skipped" && start.outcome === "success" && !saysAlways(job.when);
}
