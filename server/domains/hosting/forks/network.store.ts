/** Repositories that were forked from each other. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { NetworkRows } from "./network.rows.ts";

interface Known {
  /** Whether something exists is never null. */
  areRelated: { related: boolean };
}

export const statements = defineStatements<NetworkRows, Known>({
  areRelated: `
    with recursive up (origin, id, upstream_id) as (
      select r.id, r.id, r.upstream_id from repositories r where r.id in ($1, $2)
      union
      select up.origin, r.id, r.upstream_id from up join repositories r on r.id = up.upstream_id
    )
    select exists (select 1 from up one join up other on other.id = one.id where one.origin = $1 and other.origin = $2) as related`,
});

/** One of them is a fork of the other, at whatever distance, or both are of a third one that is there. */
export async function areRelated(db: Queryable, one: string, other: string): Promise<boolean> {
  return (await db.one(statements.areRelated, [one, other]))?.related ?? false;
}
