/** Starts the workflows of streams for which entries wait. Every server looks, and one of them takes each. */
import type { Database } from "../../../platform/db/database.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import { claimDue } from "./sending.store.ts";

const everyMs = 1_000;
/** In one look. */
const most = 100;

export function createStartDueStreams({
  db,
  wake,
}: {
  db: Database;
  wake(streamId: string): Promise<void>;
}): { periodicTasks: PeriodicTask[] } {
  async function run(): Promise<void> {
    for (const id of await claimDue(db, most)) await wake(id);
  }
  return { periodicTasks: [{ name: "start_audit_streams", everyMs, atStart: true, run }] };
}
