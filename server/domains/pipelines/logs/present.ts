/** Lines of logs as the REST interface shows them. */
import type { LogLine } from "@forgeline/schemas/logs/resource.ts";
import type { PlacedLine } from "./view.ts";

export function presentLine({ stream, line }: PlacedLine): LogLine {
  return {
    stream_id: stream.id,
    stage: stream.stage,
    job: stream.job,
    job_id: stream.job_id,
    attempt: stream.attempt,
    step: stream.name,
    number: line.number + 1,
    offset: line.start,
    time: line.timeMs === null ? null : new Date(line.timeMs).toISOString(),
    text: line.bytes.toString("utf8"),
  };
}
