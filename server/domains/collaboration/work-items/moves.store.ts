/** Moves an issue to another repository, and finds where one has gone. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { MovesRows } from "./moves.rows.ts";

const readLevel = levelSql({ repository: "r", user: "wa.user_id", admin: "false" });
const seenLevel = levelSql({ repository: "r", user: "$3::text", admin: "$4::boolean" });

export const statements = defineStatements<MovesRows>({
  moveItem: `
    update work_items set repository_id = $2, number = $3, body = $4, milestone_id = $5, pinned_at = null, updated_at = now()
    where id = $1`,
  insertMove: "insert into work_item_moves (repository_id, number, work_item_id) values ($1, $2, $3)",
  removeLabels: "delete from work_item_labels where work_item_id = $1",
  // Those who cannot read it there would not know of it.
  removeStrangers: `
    delete from work_item_assignees wa using repositories r
    where wa.work_item_id = $1 and r.id = $2 and ${readLevel} is null`,
  findMoved: `
    select n.owner, n.name, w.number from work_item_moves m join work_items w on w.id = m.work_item_id
    join repositories r on r.id = w.repository_id join repository_names n on n.repository_id = r.id
    where m.repository_id = $1 and m.number = $2 and ${seenLevel} is not null
      and ($5::text[] is null or r.id = any ($5) or r.visibility = 'public')`,
});

export interface Viewing {
  userId: string | null;
  isAdmin: boolean;
  /** Null: not limited. */
  repositoryIds: readonly string[] | null;
}

/** Where the issue is that once had this number, as far as the viewer sees it. */
export function findMoved(
  db: Queryable,
  { repositoryId, number }: { repositoryId: string; number: number },
  { userId, isAdmin, repositoryIds }: Viewing,
) {
  return db.one(statements.findMoved, [repositoryId, number, userId, isAdmin, repositoryIds]);
}
