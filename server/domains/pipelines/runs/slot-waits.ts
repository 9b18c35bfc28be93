/** The slots that jobs of a run wait for. */
import type { ConcurrencyWait } from "@forgeline/schemas/concurrency/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { SlotView } from "../concurrency/present.ts";
import { waitsOf } from "../concurrency/waits.ts";
import type { RunRow } from "./runs.store.ts";

/** By job; asks the database only if a job says that it waits for one. */
export async function waitsOfRun(
  db: Queryable,
  { id, jobs }: Pick<RunRow, "id" | "jobs">,
  view: SlotView,
): Promise<Map<string, ConcurrencyWait>> {
  const waiting = jobs.filter(
    ({ status, reason }) => status === "waiting" && reason?.startsWith("concurrency:"),
  );
  if (waiting.length === 0) return new Map();
  const waits = await waitsOf(db, id, view);
  return new Map(
    waiting.flatMap((job) => {
      const wait = waits.get(job.id) ?? waits.get(job.stage_id) ?? waits.get(id);
      return wait ? [[job.id, wait] as const] : [];
    }),
  );
}
