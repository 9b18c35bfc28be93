/** The status of a stage or run from its parts (`pipelines.md` section 5). Pure; used by every writer of statuses. */
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";

export interface Part {
  status: Status;
  /** The part failed, and `allow_failure` allows that: it counts as success with a warning. */
  allowed: boolean;
  warnings: number;
}

const openOrder: readonly Status[] = ["cancelling", "running", "awaiting_approval", "queued", "waiting"];
const finalOrder: readonly Status[] = ["error", "failed", "cancelled", "success", "skipped"];

/** Without parts: `skipped`. */
export function aggregate(parts: readonly Part[]): { status: Status; warnings: number } {
  const warnings = parts.reduce((sum, part) => sum + part.warnings + (part.allowed ? 1 : 0), 0);
  const present = new Set(parts.map((part) => (part.allowed ? "success" : part.status)));
  const open = [...present].some((status) => !isFinal(status));
  const status = (open ? openOrder : finalOrder).find((candidate) => present.has(candidate));
  return { status: status ?? (open ? "created" : "skipped"), warnings };
}
