/** The least level of access to the repository with which people may approve, whether or not they are named. */
import { z } from "zod";

export const approvalLevels = ["write", "maintain", "admin"] as const;
export const ApprovalLevel = z.enum(approvalLevels);
export type ApprovalLevel = z.infer<typeof ApprovalLevel>;

/** Of a rule as it was written; null: only those who are named may approve. */
export function leastLevel({
  approvers,
  level,
}: {
  approvers: readonly string[];
  level?: ApprovalLevel | null | undefined;
}): ApprovalLevel | null {
  return level ?? (approvers.length === 0 ? "write" : null);
}
