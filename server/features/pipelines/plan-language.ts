/** What pipelines need of the compiler's expression language, with the event and run as its contexts. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline/event.ts";
import type { PlanClause } from "@forgeline/schemas/pipeline/plan.ts";
import type { Outcome } from "@forgeline/schemas/pipelines/run-activities.ts";

export interface LanguageContext {
  event: PipelineEvent;
  pipeline: { id: string; number: number; name: string };
  /** Outputs of the jobs needed; absent where they are not known yet. */
  needs: Record<string, { result: string; outputs: Record<string, string> }> | null;
  /** Of what the thing depends on; the `status` key of `when` is held against it. */
  outcome: Outcome;
}

export interface PlanLanguage {
  /** `clause`: the text of a clause that did not match; null when the condition holds. An empty list holds. */
  evaluateWhen(
    when: readonly PlanClause[],
    context: LanguageContext,
  ): { holds: boolean; clause: string | null };
  /** Throws an `Error` with a sentence for people. */
  render(template: string, context: LanguageContext): string;
}
