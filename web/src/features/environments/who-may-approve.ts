/** Who may approve at a gate, or in an environment, in a few words. Pure. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/approvals.ts";

/** `ada, acme/release`, `anyone with Write`, `ada, anyone with Maintain`. */
export function whoMayApprove({
  approvers,
  level,
}: Pick<Schemas["EnvironmentProtection"], "approvers" | "level">): string {
  const least = level ?? (approvers.length === 0 ? "write" : null);
  return [...approvers, ...(least === null ? [] : [text.anyone[least]])].join(", ");
}
