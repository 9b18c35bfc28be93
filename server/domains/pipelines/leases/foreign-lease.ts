/** Records a runner that sends messages for another runner's lease; the hub refuses them. */
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { ConnectedRunner } from "../runners/connections.ts";
import { runnerActor } from "../runners/runner-actor.ts";

export async function recordForeignLease(
  db: Database,
  runner: ConnectedRunner,
  said: { attemptId: string | null; ipAddress: string },
): Promise<void> {
  await db.transaction((tx) =>
    recordAudit(tx, runnerActor(runner, said.ipAddress), {
      action: "runner.foreign_lease",
      target: { type: "runner", id: runner.id, name: runner.name },
      details: { attempt: said.attemptId },
    }),
  );
}
