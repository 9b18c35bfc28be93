/** Why attempts are still queued: computed at each read from the current runners. */
import { reasonSentence } from "./reasons.ts";

/** What the runners can offer a queued attempt. */
export interface QueueRow {
  /** Of the attempt. */
  id: string;
  fitting: number;
  usable: number;
  free: number;
  nearest: string | null;
  missing: string[] | null;
}

export type QueueReason = { reason: string; message: string };

/** By attempt id. */
export function queueReasons(rows: readonly QueueRow[]): Map<string, QueueReason> {
  return new Map(rows.map((row) => [row.id, queueReasonOf(row)]));
}

export function queueReasonOf(row: Omit<QueueRow, "id">): QueueReason {
  if (row.free > 0) {
    return { reason: "no_free_runner", message: "A matching runner is free and has been offered the job." };
  }
  if (row.usable > 0) return told("no_free_runner");
  if (row.fitting > 0) return told("paused");
  if (row.nearest === null) {
    return { reason: "no_matching_runner", message: "No runner that can take this job is connected." };
  }
  const message = `No runner has all the labels; the nearest, ${row.nearest}, lacks ${(row.missing ?? []).join(", ")}.`;
  return { reason: "no_matching_runner", message };
}

function told(reason: string): QueueReason {
  return { reason, message: reasonSentence(reason) ?? reason };
}
