/** Artifacts become visible with the accepted result of their attempt, in its transaction: nobody sees those of a lost one. */
import type { Transaction } from "../../../platform/db/database.ts";
import { publish, removeAll } from "./artifact.store.ts";

/** Only those that this attempt completed in this epoch; the others are ignored. May run again. */
export async function publishArtifacts(
  tx: Transaction,
  done: { attemptId: string; epoch: number; ids: readonly string[] },
): Promise<void> {
  if (done.ids.length > 0) await publish(tx, done);
}

/** Nobody needs it any more; its objects go with the next sweep. */
export async function discardUpload(tx: Transaction, id: string): Promise<void> {
  await removeAll(tx, [id]);
}
