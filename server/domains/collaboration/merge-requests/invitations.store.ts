/** Open merge requests whose authors let those who may write in the target push to the source branch. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { InvitationsRows } from "./invitations.rows.ts";

/** Of one repository that are asked about at once: one branch can be proposed to many places. */
const maxInviting = 100;

export const statements = defineStatements<InvitationsRows>({
  findInviting: `
    select m.source_branch, m.repository_id, w.author_id, w.number, n.full_name
    from merge_requests m join work_items w on w.id = m.id join repository_names n on n.repository_id = m.repository_id
    where m.source_repository_id = $1 and m.repository_id <> $1 and m.is_open and m.maintainer_can_modify
      and ($2::text[] is null or m.source_branch = any ($2::text[])) and n.deleted_at is null and w.author_id is not null
    order by m.id desc limit ${maxInviting}`,
  setEdits: `
    update merge_requests set maintainer_can_modify = $2 where id = $1 and maintainer_can_modify <> $2 returning id`,
});

export type Inviting = RowOf<typeof statements.findInviting>;

/** Null: of any branch. */
export function findInviting(
  db: Queryable,
  repositoryId: string,
  branches: readonly string[] | null,
): Promise<Inviting[]> {
  return db.query(statements.findInviting, [repositoryId, branches]);
}

/** Whether that is a change. */
export async function setEdits(tx: Queryable, id: string, allowed: boolean): Promise<boolean> {
  return (await tx.one(statements.setEdits, [id, allowed])) !== undefined;
}
