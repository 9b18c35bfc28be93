/** Open merge requests whose authors let those who may write in the target push to the source branch. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { InvitationsRows } from "./invitations.rows.ts";

/**
 * Of each branch that is asked about, or of all together: pairs of a target and an author, on whom the right depends. However many merge
 * requests somebody opens to one target, the others count.
 */
const maxInviting = 100;

const branchAsked = "case when $2::text[] is not null then m.source_branch end";

export const statements = defineStatements<InvitationsRows>({
  findInviting: `
    with pairs as (
      select distinct on (${branchAsked}, m.repository_id, w.author_id) m.id, m.source_branch, m.repository_id, w.author_id, w.number,
        ${branchAsked} as asked
      from merge_requests m join work_items w on w.id = m.id join repositories r on r.id = m.repository_id and r.deleted_at is null
      where m.source_repository_id = $1 and m.repository_id <> $1 and m.is_open and m.maintainer_can_modify
        and ($2::text[] is null or m.source_branch = any ($2::text[])) and w.author_id is not null
      order by ${branchAsked}, m.repository_id, w.author_id, m.id desc
    ), newest as (select *, row_number() over (partition by asked order by id desc) as place from pairs)
    select p.source_branch, p.repository_id, p.author_id, p.number, n.full_name
    from newest p join repository_names n on n.repository_id = p.repository_id
    where p.place <= ${maxInviting} order by p.id desc`,
  setEdits: `
    update merge_requests set maintainer_can_modify = $2 where id = $1 and maintainer_can_modify <> $2 returning id`,
});

export type Inviting = RowOf<typeof statements.findInviting>;

/** Newest first; null: of any branch. */
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
