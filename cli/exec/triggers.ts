/** Jobs that start other pipelines, in a local run: there is no server that could. Pure. */
import { triggerSentence } from "@forgeline/compiler/build-trigger.ts";
import type { PlanTrigger } from "@forgeline/schemas/pipeline-file/plan-trigger.ts";

/** Why such a job is skipped here. */
export function startsPipeline(trigger: PlanTrigger): { reason: string; message: string } {
  return { reason: "trigger", message: `It ${triggerSentence(trigger)}, which only a server can do.` };
}
