/**
 * Ids of traces and spans of runs, made from the ids of what they show: so a job can be told its span before that is sent, and what is
 * sent again after a crash is the same. Pure.
 */
import { createHash } from "node:crypto";

function idOf(chars: number, ...parts: readonly string[]): string {
  const id = createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, chars);
  // An id of zeros means none.
  return /^0+$/.test(id) ? `${id.slice(1)}1` : id;
}

/** Each rerun is a trace of its own. */
export function traceIdOf(pipelineId: string, sequence: number): string {
  return idOf(32, "trace", pipelineId, String(sequence));
}

/** Of a run (in this sequence), a stage (likewise), an attempt or a step. */
export function spanIdOf(nodeId: string, sequence = 0): string {
  return idOf(16, "span", nodeId, String(sequence));
}

/** As the variable `TRACEPARENT`: what a job's programs trace becomes part of its attempt. */
export function traceParentOf(of: { pipelineId: string; sequence: number; attemptId: string }): string {
  return `00-${traceIdOf(of.pipelineId, of.sequence)}-${spanIdOf(of.attemptId)}-01`;
}
