/** The steps of a job that have conditions, judged as if all before them succeeded. Pure. */
import type { PlanClause, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanNode } from "@forgeline/schemas/pipelines/plan.ts";
import { assumeWhen } from "./assume-when.ts";
import { contextsOf, type LanguageContext } from "./plan-language.ts";
import { skipSentence } from "./skip-reasons.ts";
import { knownStepNames } from "./step-names.ts";
import { evaluateWhen, type WhenFacts } from "./when.ts";

/** Of one plan: each combination of a large matrix may have a hundred of them. */
export const maxPreviewedSteps = 2_000;

/** Contexts that only a run fills. */
const ofRun: ReadonlySet<string> = new Set(["steps", "needs", "pipeline"]);

type Verdict = Pick<PlanNode, "runs" | "undecided" | "reason" | "message">;

/** At most `room`. `node`: of the job, which runs. */
export function stepNodes(
  job: PlanJob,
  { name, stage, matrix }: PlanNode,
  { context, room }: { context: LanguageContext; room: number },
): PlanNode[] {
  const conditional = job.steps.filter(({ when }) => when.length > 0).slice(0, Math.max(0, room));
  if (conditional.length === 0) return [];
  const unknown = job.matrix && matrix === null ? new Set([...ofRun, "matrix"]) : ofRun;
  const contexts = contextsOf(context);
  const names = knownStepNames({ steps: conditional }, contexts);
  return conditional.map((step, index) => ({
    node: "step",
    name: names[index] ?? step.name,
    stage,
    job: name,
    matrix,
    ...judgeStep(step.when, unknown, { event: context.event, contexts }),
  }));
}

/** What the run alone can say is taken to be false, then true: where that makes no difference, the step is decided. */
function judgeStep(
  when: readonly PlanClause[],
  unknown: ReadonlySet<string>,
  facts: Omit<WhenFacts, "outcome">,
): Verdict {
  const judge = (answer: boolean, outcome: "success" | "failure") =>
    evaluateWhen(assumeWhen(when, unknown, answer), { ...facts, outcome });
  try {
    if (judge(false, "success").run) return { runs: true, reason: null, message: null };
    const likely = judge(true, "success");
    if (likely.run || judge(true, "failure").run) return undecided(when, likely.run);
    return { runs: false, reason: likely.reason, message: skipSentence(likely.reason) };
  } catch {
    return undecided(when, true);
  }
}

function undecided(when: readonly PlanClause[], runs: boolean): Verdict {
  const text = when.map((clause) => clause.text).join(" | ");
  return { runs, undecided: true, reason: `when:${text}`, message: `Decided during the run: ${text}.` };
}
