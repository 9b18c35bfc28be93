/** `approval` of a stage or job, with its defaults. */
import type { z } from "zod";
import type { FileApproval } from "@forgeline/schemas/pipeline-file/file-approval.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import { durationMs } from "./duration.ts";

/** Nothing for what starts without one. */
export function planApproval(
  written: z.infer<typeof FileApproval> | undefined,
): { approval: PlanApproval } | Record<never, never> {
  if (written === undefined) return {};
  return {
    approval: {
      approvers: [written.approvers ?? []].flat(),
      ...(written.level === undefined ? {} : { level: written.level }),
      count: written.count ?? 1,
      allowSelf: written.allow_self ?? true,
      expiresMs: durationMs(written.expires ?? "30d"),
      onExpire: written.on_expire ?? "reject",
      message: written.message ?? null,
    },
  };
}
