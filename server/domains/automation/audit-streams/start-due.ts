/** Starts the workflows of streams for which entries wait. Every server looks, and one of them takes each. */
import type { Database } from "../../../platform/db/database.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import { claimDue } from "./sending.store.ts";

const everyMs = 1_000;
/** In one look, all at the same time. */
const most = 20;

export function createStartDueStreams({
  db,
  wake,
}: {
  db: Database;
  wake(streamId: string): Promise<void>;
}): { periodicTasks: PeriodicTask[] } {
  async function run(): Promise<void> {
    const woken = await Promise.allSettled((await claimDue(db, most)).map(wake));
    // One that cannot be woken holds up no other.
    const failed = woken.find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
  }
  return { periodicTasks: [{ name: "start_audit_streams", everyMs, atStart: true, run }] };
}
