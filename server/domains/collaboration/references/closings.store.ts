/** Which issues a merge request closes, and which merge requests close an issue. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { ClosingsRows } from "./closings.rows.ts";
import type { Seeing } from "./references.store.ts";

const shown = "n.owner, n.name, w.number, w.title";
/** Whether the viewer sees a repository. */
const seen = (repository: string) => `
  ${levelSql({ repository, user: "$2::text", admin: "$3::boolean" })} is not null
    and ($4::text[] is null or ${repository}.id = any ($4) or ${repository}.visibility = 'public')`;

/** Whoever wrote the merge request `item` may close issues there; else anybody could show theirs beside any issue. */
const authorWrites = (repository: string, item: string) =>
  `${levelSql({ repository, user: `${item}.author_id`, admin: "false" })} >= 'write'`;

export const statements = defineStatements<ClosingsRows>({
  listClosed: `
    select ${shown}, w.state = 'open' as is_open
    from merge_requests m join repositories s on s.id = m.repository_id join work_items mw on mw.id = m.id
    cross join lateral (
      select x.target_id as id from work_item_references x
      where x.source_id = m.id and x.comment_id is null and x.closes
      union
      select i.id from merge_request_commit_closings c
      join work_items i on i.repository_id = c.repository_id and i.number = any (c.numbers)
      where c.merge_request_id = m.id) named
    join work_items w on w.id = named.id and w.kind = 'issue'
    join repositories r on r.id = w.repository_id join repository_names n on n.repository_id = r.id
    where m.id = $1 and m.target_branch = s.default_branch and not r.archived and r.deleted_at is null
      and (r.id = s.id or (${seen("r")} and ${authorWrites("r", "mw")}))
    order by r.id <> s.id, n.owner, n.name, w.number limit $5`,
  listClosing: `
    select ${shown}, true as is_open
    from work_items i join repositories r on r.id = i.repository_id cross join lateral (
      select x.source_id as id from work_item_references x
      where x.target_id = i.id and x.comment_id is null and x.closes
      union
      select c.merge_request_id from merge_request_commit_closings c
      where c.repository_id = i.repository_id and c.numbers <> '{}' and c.numbers @> array[i.number]) named
    join merge_requests m on m.id = named.id and m.is_open join work_items w on w.id = m.id
    join repositories s on s.id = m.repository_id join repository_names n on n.repository_id = s.id
    where i.id = $1 and i.state = 'open' and m.target_branch = s.default_branch and not s.archived and s.deleted_at is null
      and (s.id = i.repository_id or (${seen("s")} and ${authorWrites("r", "w")}))
    order by s.id <> i.repository_id, n.owner, n.name, w.number limit $5`,
  findRead: `
    select n.owner, n.name, exists (select 1 from merge_request_commit_closings c
      where c.merge_request_id = $2 and c.head_sha = $3 and c.target_branch = $4) as is_read
    from repository_names n where n.repository_id = $1`,
  keepRead: `
    insert into merge_request_commit_closings (merge_request_id, repository_id, head_sha, target_branch, numbers)
    select m.id, m.repository_id, $2, $3, $4 from merge_requests m where m.id = $1
    on conflict (merge_request_id) do update set head_sha = excluded.head_sha, target_branch = excluded.target_branch, numbers = excluded.numbers`,
});

export type ClosingRow = RowOf<typeof statements.listClosed> | RowOf<typeof statements.listClosing>;

/** Shown at once. */
const maxShown = 50;

/** `id`: of the merge request. */
export function listClosed(db: Queryable, id: string, viewer: Seeing): Promise<ClosingRow[]> {
  return db.query(statements.listClosed, [...asked(id, viewer), maxShown]);
}

/** `id`: of the issue. */
export function listClosing(db: Queryable, id: string, viewer: Seeing): Promise<ClosingRow[]> {
  return db.query(statements.listClosing, [...asked(id, viewer), maxShown]);
}

function asked(id: string, { userId, isAdmin, repositoryIds }: Seeing) {
  return [id, userId, isAdmin, repositoryIds];
}
