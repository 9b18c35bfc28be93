/** Places of a repository's runs in groups of an organization to which the repository no longer belongs. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { LeaveOwnerRows } from "./leave-owner.rows.ts";
import { slotSql } from "./slot-states.ts";
import type { Group } from "./slots.store.ts";

const { from } = slotSql;
const astray = (repository: string) =>
  `s.scope = 'org' and s.owner_id <> ${repository}.owner_id and s.state in (${from("move")})`;

export const statements = defineStatements<LeaveOwnerRows>({
  findAstray: `
    select distinct s.repository_id as "repositoryId" from concurrency_slots s join repositories r on r.id = s.repository_id
    where ${astray("r")}`,
  groupsAstray: `
    select distinct s.owner_id as "ownerId", s.group_name as "group" from concurrency_slots s join repositories r on r.id = s.repository_id
    where r.id = $1 and ${astray("r")}`,
  move: `
    update concurrency_slots s set owner_id = r.owner_id from repositories r
    where r.id = $1 and s.repository_id = r.id and ${astray("r")}`,
  leave: `
    delete from concurrency_slots s using repositories r, pipelines p
    where r.id = $1 and s.repository_id = r.id and p.id = s.pipeline_id and ${astray("r")}
    returning s.id, s.node, s.node_id as "nodeId", s.pipeline_id as "pipelineId", s.repository_id as "repositoryId", p.sequence,
      null::text as reason`,
});

/** Repositories with such places. */
export async function findAstray(db: Queryable): Promise<string[]> {
  return (await db.query(statements.findAstray)).map(({ repositoryId }) => repositoryId);
}

export function groupsAstray(tx: Transaction, repositoryId: string): Promise<Group[]> {
  return tx.query(statements.groupsAstray, [repositoryId]);
}

/** To the groups of the same names of the owner that the repository has now. A place is as old as before. */
export async function moveAstray(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.move, [repositoryId]);
}

/** What is gone. */
export function leaveAstray(tx: Transaction, repositoryId: string) {
  return tx.query(statements.leave, [repositoryId]);
}
