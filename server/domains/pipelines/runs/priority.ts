/**
 * Where a job stands in the queue of its repository. A point of priority is worth some minutes of waiting: so what is more important
 * goes first, and what is less important does not wait for ever. Pure.
 */
import { highestPriority, lowestPriority } from "@forgeline/schemas/pipeline-file/file-priority.ts";
import type { PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";

/** The whole span, 20 hours, is less than jobs wait by default (`queue_timeout`): whatever has the least gets its turn too. */
export const minutesPerPoint = 6;

/** Of runs that nobody waits for. */
export const backgroundPriority = -10;

const background: readonly PipelineEventName[] = ["schedule", "mirror_sync", "fork_sync"];

/** What the file asks for, or the default of the event; no more than the operator allows. */
export function priorityOf(
  asked: number | undefined,
  { event, max }: { event: PipelineEventName; max: number },
): number {
  const wanted = asked ?? (background.includes(event) ? backgroundPriority : 0);
  return Math.max(lowestPriority, Math.min(wanted, max, highestPriority));
}
