/** Made by `node scripts/generate-rows.ts` from the statements of events.store.ts; do not edit. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";

export interface EventsRows {
  findEventRepository: {
    owner: string;
    name: string;
    defaultBranch: string;
    mirrorSyncs: boolean;
    forkSyncs: boolean;
  };
  findUser: {
    username: string;
  };
  findPlan: {
    plan: Plan;
    event: PipelineEvent;
    number: number;
  };
}
