/** The limits that hold in a repository now. */
import { holdLimits, type HeldLimits } from "@forgeline/compiler/held-limits.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { ofRepository, type SetLimitRow } from "./pipeline-limits.store.ts";

/** Those of its organization where set, else those of the instance, else the defaults; also for a repository that is gone. */
export async function readHeldLimits(db: Queryable, repositoryId: string): Promise<HeldLimits> {
  return heldOf(await ofRepository(db, repositoryId));
}

export function heldOf(rows: readonly SetLimitRow[]): HeldLimits {
  return holdLimits(
    rows.map(({ name, value, ofOrganization }) => ({
      name,
      value,
      setBy: ofOrganization ? ("organization" as const) : ("instance" as const),
    })),
  );
}
