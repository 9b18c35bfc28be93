/** Sends an audit log to its target while entries wait, and tries again what the target did not accept. */
import { condition, continueAsNew, defineSignal, proxyActivities, setHandler } from "@temporalio/workflow";
import type { AuditStreamInput } from "@forgeline/schemas/audit-streams/workflow.ts";
import type { AuditStreamActivities } from "../activities/audit-streams.ts";
import { streamActivity } from "./profiles.ts";

const wake = defineSignal("wake");
const maxRounds = 200;

export async function auditStream(input: AuditStreamInput): Promise<void> {
  const { sendAuditStream } = proxyActivities<AuditStreamActivities>({
    ...streamActivity,
    taskQueue: input.queue,
  });
  let woken = false;
  setHandler(wake, () => {
    woken = true;
  });
  for (let round = 0; round < maxRounds; round += 1) {
    woken = false;
    const { dueInMs } = await sendAuditStream({ streamId: input.streamId });
    if (dueInMs === null) {
      if (!woken) return;
    } else if (dueInMs > 0) {
      await condition(() => woken, dueInMs);
    }
  }
  await continueAsNew<typeof auditStream>(input);
}
