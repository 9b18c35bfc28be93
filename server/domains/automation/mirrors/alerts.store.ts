/** Whom a mirror's outage concerns, as of now. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { AlertsRows } from "./alerts.rows.ts";

export const statements = defineStatements<AlertsRows>({
  findMaintainers: `
    select n.full_name as name, u.id as user_id from repositories r join repository_names n on n.repository_id = r.id
    join users u on u.id = r.owner_id
      or u.id in (select om.user_id from organization_members om where om.organization_id = r.owner_id)
      or u.id in (select c.user_id from collaborators c where c.repository_id = r.id)
    where r.id = $1 and ${levelSql({ repository: "r", user: "u.id", admin: "false" })} >= 'maintain'
    order by u.id limit 50`,
});

/** Its owner, members of the organization and collaborators who may at least maintain it. */
export function findMaintainers(
  tx: Transaction,
  repositoryId: string,
): Promise<AlertsRows["findMaintainers"][]> {
  return tx.query(statements.findMaintainers, [repositoryId]);
}
