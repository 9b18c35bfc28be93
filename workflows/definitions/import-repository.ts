/** Brings a repository over from another host, a few pages at a time; waits for as long as that host asks. */
import { continueAsNew, isCancellation, proxyActivities, sleep } from "@temporalio/workflow";
import type { ImportInput } from "@forgeline/schemas/imports/workflow.ts";
import type { ImportActivities } from "../activities/imports.ts";
import { mirrorActivity } from "./profiles.ts";

/** So that the history stays short. */
const maxSteps = 300;

export async function importRepository({ importId, attempt, queue }: ImportInput): Promise<void> {
  const { stepImport, giveUpImport } = proxyActivities<ImportActivities>({
    ...mirrorActivity,
    taskQueue: queue,
  });
  try {
    for (let steps = 0; steps < maxSteps; steps += 1) {
      const { ended, waitMs } = await stepImport({ importId, attempt });
      if (ended) return;
      if (waitMs > 0) await sleep(waitMs);
    }
  } catch (error) {
    if (!isCancellation(error)) await giveUpImport({ importId, attempt });
    throw error;
  }
  await continueAsNew<typeof importRepository>({ importId, attempt, queue });
}
