/** Who may approve at a gate, or in an environment, in a few words. Pure. */
import type { Schemas } from "@forgeline/client/schemas.ts";

const levelNames = { write: "Write", maintain: "Maintain", admin: "Admin" } as const;

/** `ada,acme/release`, `anyone with Write`, `ada,anyone with Maintain`. */
export function whoMayApprove({
  approvers,
  level,
}: Pick<Schemas["EnvironmentProtection"], "approvers" | "level">): string {
  const least = level ?? (approvers.length === 0 ? "write" : null);
  return [...approvers, ...(least === null ? [] : [`anyone with ${levelNames[least]}`])].join(",");
}
