/** Where a job deploys to, and what its expressions see there. Pure. */
import { renderEnvironmentName } from "@forgeline/compiler/environment-name.ts";
import { eventAt } from "@forgeline/compiler/environment-variables.ts";
import { contextsOf, type LanguageContext } from "@forgeline/compiler/plan-language.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { tooMuch } from "../variables/run-variables.ts";

export interface JobPlace {
  /** null: nowhere, or a place that cannot be named. */
  environment: string | null;
  context: LanguageContext;
  /** Why it cannot deploy there, as a sentence. A job whose conditions do not hold is skipped all the same. */
  problem: string | null;
}

export function placeOf(context: LanguageContext, { environment }: PlanJob): JobPlace {
  const at = (name: string | null) => ({ ...context, event: eventAt(context.event, name) });
  if (!environment) return { environment: null, context: at(null), problem: null };
  try {
    const name = renderEnvironmentName(environment, contextsOf(context));
    const there = at(name);
    return { environment: name, context: there, problem: tooMuch(there.event) };
  } catch (error) {
    return { environment: null, context: at(null), problem: storableText((error as Error).message) };
  }
}
