/** What becomes of a job at a gate that does not let it pass, and what the workflow is told of it. */
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import { reasonSentence } from "../runs/reasons.ts";
import { moveJob, type RunJob, type RunRecord } from "../runs/run-record.ts";
import { awaitedText, rejectedText, waitText } from "./gate-texts.ts";
import type { GatePlace, GateRow } from "./gates.store.ts";

/** Nobody looks at a gate more often than this because its time is nearly over. */
const shortestWaitMs = 1_000;

/** At a gate that is not approved. */
export function heldAtGate(
  run: RunRecord,
  row: RunJob,
  { gate, passed }: { gate: GateRow; passed: readonly GateRow[] },
): JobStarted {
  const { rule, environment } = gate;
  if (gate.state === "open") {
    const reason = awaitedReason(gate);
    const message = awaitedText(rule, environment, gate.given);
    moveJob(run, row, { event: "await", reason, message, actor: approverOf(passed) });
    const waitMs = Math.max(gate.left_ms, shortestWaitMs);
    return { jobId: row.id, status: "awaiting_approval", reason, waitMs };
  }
  if (gate.state === "expired" && rule.onExpire === "skip") {
    const reason = "approval_expired";
    moveJob(run, row, { event: "skip", reason, message: reasonSentence(reason) });
    return { jobId: row.id, status: "skipped", reason };
  }
  const message =
    gate.state === "expired" ? reasonSentence("approval_expired") : rejectedText(gate.username, gate.comment);
  const actor = gate.state === "expired" ? null : gate.username;
  return refused(run, row, { reason: "approval_rejected", message, actor });
}

export function awaitedReason({ job, environment }: Pick<GatePlace, "job" | "environment">): string {
  if (environment !== null) return "approval:environment";
  return job === null ? "approval:stage" : "approval:job";
}

/** Who opened the last of these gates. */
export function approverOf(passed: readonly GateRow[]): string | null {
  return passed.at(-1)?.username ?? null;
}

/** At a gate that people have opened, whose time is not over. The workflow waits for it as it does for people. */
export function heldByTime(run: RunRecord, row: RunJob, gate: GateRow): JobStarted {
  const reason = `environment_wait:${gate.environment}`;
  if (row.status === "awaiting_approval") moveJob(run, row, { event: "pass", actor: gate.username });
  moveJob(run, row, { event: "hold", reason, message: waitText(gate.environment, gate.wait_until) });
  const waitMs = Math.max(gate.wait_ms ?? 0, shortestWaitMs);
  return { jobId: row.id, status: "awaiting_approval", reason, waitMs };
}

export function refused(
  run: RunRecord,
  row: RunJob,
  { reason, message, actor = null }: { reason: string; message: string | null; actor?: string | null },
): JobStarted {
  moveJob(run, row, { event: "reject", reason, message, actor });
  return { jobId: row.id, status: "failed", reason };
}
