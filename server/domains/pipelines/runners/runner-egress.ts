/** What a runner says of the networks that its jobs may reach: kept with its connection, shown with the runner. */
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { Runner } from "@forgeline/schemas/runners/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";

/** Undefined: a runner of before this was asked. */
export async function saveEgress(
  db: Queryable,
  runnerId: string,
  egress: EgressReport | undefined,
): Promise<void> {
  await db.query("update runners set egress = $2 where id = $1", [runnerId, egress ?? null]);
}

export function presentEgress(egress: EgressReport | null): Runner["egress"] {
  return egress ?? { state: "unknown", reason: null, allow: [] };
}
