/** Plans of runs that are being decided, so that each decision does not read and parse them again. Plans never change. */
import { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { findPlan } from "./events.store.ts";
import { AppError } from "../../../platform/app-error.ts";

export interface RunPlan {
  plan: Plan;
  event: PipelineEvent;
  number: number;
}

export interface PlanCache {
  /** Throws `not_found`. */
  get(db: Queryable, pipelineId: string): Promise<RunPlan>;
}

export function createPlanCache(capacity = 500): PlanCache {
  const plans = new Map<string, RunPlan>();
  return {
    async get(db, pipelineId) {
      const known = plans.get(pipelineId);
      if (known) {
        plans.delete(pipelineId);
        plans.set(pipelineId, known);
        return known;
      }
      const row = await findPlan(db, pipelineId);
      if (!row) throw new AppError("not_found", { message: `run ${pipelineId} has no plan` });
      const loaded = {
        plan: Plan.parse(row.plan),
        event: PipelineEvent.parse(row.event),
        number: row.number,
      };
      plans.set(pipelineId, loaded);
      const oldest = plans.keys().next();
      if (plans.size > capacity && !oldest.done) plans.delete(oldest.value);
      return loaded;
    },
  };
}
