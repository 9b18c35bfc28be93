/** What reviews read of the merge request that they are about. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { PlacesRows } from "./places.rows.ts";

export const statements = defineStatements<PlacesRows>({
  findPlace: `
    select m.id, w.number, w.state, w.author_id, w.locked, m.head_sha, m.target_sha, m.merge_base_sha
    from merge_requests m join work_items w on w.id = m.id where w.repository_id = $1 and w.number = $2`,
  hadHead: `
    select exists (select 1 from work_item_events e where e.work_item_id = $1 and e.kind = 'pushed'
      and (e.details ->> 'from' = $2 or e.details ->> 'to' = $2)) as had`,
});

/** A merge request as reviews need it. */
export type ReviewedRow = RowOf<typeof statements.findPlace>;

export function findPlace(
  db: Queryable,
  repositoryId: string,
  number: number,
): Promise<ReviewedRow | undefined> {
  return db.one(statements.findPlace, [repositoryId, number]);
}

/** Whether a push moved its source branch to this commit, or from it. */
export async function hadHead(db: Queryable, id: string, sha: string): Promise<boolean> {
  return (await db.one(statements.hadHead, [id, sha]))?.had ?? false;
}
