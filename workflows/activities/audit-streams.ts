/** Activities of streams of audit logs. Each may run twice. */
import { SendAuditStream } from "@forgeline/schemas/audit-streams/workflow.ts";
import type { AuditStreams } from "@forgeline/server/domains/automation/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type AuditStreamActivities = ReturnType<typeof createAuditStreamActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 3_000;

export function createAuditStreamActivities(streams: AuditStreams) {
  return {
    sendAuditStream: activity(SendAuditStream, ({ streamId }) =>
      whileBeating({ everyMs: heartbeatMs, details: { id: streamId } }, (signal) =>
        streams.send(streamId, signal),
      ),
    ),
  };
}
