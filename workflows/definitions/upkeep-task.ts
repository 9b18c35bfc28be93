/** One run of a task of upkeep. A schedule begins it; runs of one task never overlap. */
import { proxyActivities } from "@temporalio/workflow";
import type { RunUpkeepTask } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import type { UpkeepActivities } from "../activities/upkeep.ts";
import { longActivity } from "./profiles.ts";

const { runUpkeepTask } = proxyActivities<UpkeepActivities>(longActivity);

export async function upkeepTask({ task }: RunUpkeepTask): Promise<void> {
  await runUpkeepTask({ task });
}
