/** The gate before a stage or job, as the plan keeps it. */
import { z } from "zod";
import { ApprovalLevel } from "../approvals/level.ts";

export const PlanApproval = z.object({
  /** Names of users, and of teams as `org/team`. */
  approvers: z.array(z.string()),
  /** Who has at least this level may approve too. Absent: Write without approvers, nobody else with them. */
  level: ApprovalLevel.optional(),
  count: z.number().int().min(1).max(10),
  /** Who started the run, and the author of the commit, may approve too. */
  allowSelf: z.boolean(),
  expiresMs: z.number().int().min(0),
  onExpire: z.enum(["reject", "skip"]),
  message: z.string().nullable(),
});
export type PlanApproval = z.infer<typeof PlanApproval>;
