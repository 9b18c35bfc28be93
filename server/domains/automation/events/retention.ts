/** Removes events that nobody needs any more, and the deliveries that show them. */
import type { Database } from "../../../platform/db/database.ts";
import { deleteEvents } from "../../../platform/events/events.store.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { deleteDeliveries, deleteOrphans } from "../webhooks/deliveries.store.ts";
import { deleteEmptied } from "../webhooks/webhooks.store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const deliveriesMs = 30 * dayMs;
/** A day more, so that each delivery goes before its event. */
const eventsMs = 31 * dayMs;

export function createEventRetention(db: Database): { upkeepTasks: UpkeepTask[] } {
  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await deleteOrphans(db)) > 0);
    await deleteEmptied(db);
    while (!signal.aborted && (await deleteDeliveries(db, new Date(Date.now() - deliveriesMs))) > 0);
    while (!signal.aborted && (await deleteEvents(db, new Date(Date.now() - eventsMs))) > 0);
  }
  return {
    upkeepTasks: [{ name: "remove_old_events", everyMs: 60 * 60 * 1000, run }],
  };
}
