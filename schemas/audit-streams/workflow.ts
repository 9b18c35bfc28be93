/** The workflow that sends an audit log to its target, while something waits. */
import { z } from "zod";

export const auditStreamWorkflowName = "auditStream";
export const auditStreamSignal = "wake";

export function auditStreamWorkflowId(taskQueue: string, streamId: string): string {
  return `audit-stream:${taskQueue}:${streamId}`;
}

/** Activities of streams have a queue of their own: however many targets are slow, nothing else waits for them. */
export function streamTaskQueue(taskQueue: string): string {
  return `${taskQueue}-streams`;
}

/** Undefined for other workflows. */
export function auditStreamOf(workflowId: string): string | undefined {
  return /^audit-stream:.+:(strm_[0-9a-z]{26})$/.exec(workflowId)?.[1];
}

export const SendAuditStream = z.strictObject({ streamId: z.string() });
export type SendAuditStream = z.infer<typeof SendAuditStream>;

/** `dueInMs`: when there is more to do; null: nothing waits, or the stream is paused. */
export interface SendAuditStreamResult {
  dueInMs: number | null;
}

/** Of the workflow: `queue` is that of its activity. */
export interface AuditStreamInput extends SendAuditStream {
  queue: string;
}
