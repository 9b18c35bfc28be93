/** Jobs that wait at the gates of an environment look again, because it is about to go. */
import type { Transaction } from "../../../platform/db/database.ts";
import { addRunIntent } from "../runs/run-intents.ts";
import { waitingAt } from "./gates.store.ts";

/** In the transaction that deletes the environment. */
export async function tellWaiting(
  tx: Transaction,
  { repositoryId, environmentId }: { repositoryId: string; environmentId: string },
): Promise<void> {
  for (const { pipeline_id: pipelineId, sequence, stage, job } of await waitingAt(tx, environmentId))
    await addRunIntent(tx, repositoryId, {
      kind: "gate_decided",
      pipelineId,
      sequence,
      gate: { stage, job },
    });
}
