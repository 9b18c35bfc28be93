/** Rate limits of an account, for people. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderTable } from "./table.ts";

export function limitsTable(limits: readonly Schemas["AccountLimit"][]): string {
  const rows = limits.map((limit) => [
    limit.resource,
    limit.limit === 0 ? "none" : String(limit.limit),
    String(limit.window_seconds),
    limit.custom ? "custom" : "instance",
  ]);
  return renderTable(["CATEGORY", "LIMIT", "SECONDS", "SET BY"], rows);
}
