/** What a run waits for, as its page shows it. */
import type { ConcurrencyWait } from "@forgeline/schemas/concurrency/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { readWaits } from "./groups.store.ts";
import { presentWait, type SlotView } from "./present.ts";

/** By id of the run, stage or job that waits. */
export async function waitsOf(
  db: Queryable,
  pipelineId: string,
  view: SlotView,
): Promise<Map<string, ConcurrencyWait>> {
  const rows = await readWaits(db, pipelineId);
  return new Map(rows.map((row) => [row.nodeId, presentWait(row, view)]));
}
