/** Whom a webhook belongs to, as of now: who has lost the right is not told any more. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SwitchedOffRows } from "./switched-off.rows.ts";

export const statements = defineStatements<SwitchedOffRows>({
  findOwners: `
    with place as (
      select n.repository_id as id, n.full_name as name, r.owner_id from repository_names n join repositories r on r.id = n.repository_id
      where n.repository_id = $1
      union all
      select o.id, o.name, o.id from owners o where o.id = $2
    )
    select p.id as place_id, p.name as place, coalesce(m.user_id, p.owner_id) as user_id from place p
    left join organization_members m on m.organization_id = p.owner_id and m.role = 'owner'
    order by user_id limit 20`,
});

/** The owner, or the owners of the organization. */
export function findOwners(
  tx: Transaction,
  webhook: { repository_id: string | null; organization_id: string | null },
) {
  return tx.query(statements.findOwners, [webhook.repository_id, webhook.organization_id]);
}
