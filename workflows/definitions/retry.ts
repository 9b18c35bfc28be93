/** Whether and when a failed attempt is tried again (`pipelines.md` section 2, `retry`). Pure. */
import type { PlanRetry } from "@forgeline/schemas/pipeline-file/plan.ts";

export interface Failure {
  status: string;
  reason: string | null;
}

const reasonClasses: Record<string, string> = {
  runner_lost: "infra",
  clone: "infra",
  disk_full: "infra",
  infra: "infra",
  internal: "infra",
  image_pull: "image_pull",
  service_not_ready: "service",
  timeout: "timeout",
  idle_timeout: "timeout",
  exit: "script",
  oom: "script",
};

/** `infra`, `image_pull`, `service`, `timeout`, `script`, or `other`. */
export function failureClass(reason: string | null): string {
  const word = (reason ?? "").split(":")[0] ?? "";
  return reasonClasses[word] ?? "other";
}

function matches(pattern: string, failure: Failure): boolean {
  if (pattern === "any") return true;
  const exit = /^exit:(\d+)(?:-(\d+))?$/.exec(pattern);
  if (!exit) return pattern === failureClass(failure.reason);
  const code = /^exit:(\d+)$/.exec(failure.reason ?? "")?.[1];
  if (code === undefined) return false;
  return Number(code) >= Number(exit[1]) && Number(code) <= Number(exit[2] ?? exit[1]);
}

/** Milliseconds until the next try; null when there is none. `retriesMade` counts those of this sequence. */
export function retryDelay(retry: PlanRetry, failure: Failure, retriesMade: number): number | null {
  if (failure.status === "cancelled" || retriesMade >= retry.max) return null;
  if (!retry.on.some((pattern) => matches(pattern, failure))) return null;
  return Math.min(retry.delayMs * retry.factor ** retriesMade, retry.maxDelayMs);
}
