/** The gate before a stage or job, as the plan keeps it. */
import { z } from "zod";

export const PlanApproval = z.object({
  /** Names of users, and of teams as `org/team`; empty: everyone with Write. */
  approvers: z.array(z.string()),
  count: z.number().int().min(1).max(10),
  /** Who started the run, and the author of the commit, may approve too. */
  allowSelf: z.boolean(),
  expiresMs: z.number().int().min(0),
  onExpire: z.enum(["reject", "skip"]),
  message: z.string().nullable(),
});
export type PlanApproval = z.infer<typeof PlanApproval>;
