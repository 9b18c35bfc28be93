/** Reports count with the accepted result of their attempt, in its transaction: nobody sees those of a lost one. */
import type { Transaction } from "../../../platform/db/database.ts";
import { record } from "./reports.store.ts";

/** Whether there is something to read; ignores an upload that is not this attempt's. May run again. */
export async function recordReports(
  tx: Transaction,
  { attemptId, epoch, id }: { attemptId: string; epoch: number; id: string | undefined },
): Promise<boolean> {
  return id !== undefined && (await record(tx, { attemptId, epoch, id }));
}
