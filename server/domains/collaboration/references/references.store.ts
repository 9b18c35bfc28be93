/** Reads and writes rows of `work_item_references`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { ReferencesRows } from "./references.rows.ts";

const seenLevel = levelSql({ repository: "r", user: "$4::text", admin: "$5::boolean" });
const closerLevel = levelSql({ repository: "r", user: "$2::text", admin: "false" });

export const statements = defineStatements<ReferencesRows>({
  resolve: `
    select w.id, w.kind, w.number, lower(o.name) as owner, lower(r.name) as name
    from unnest($1::text[], $2::text[], $3::int[]) as x (owner, name, number)
    join owners o on lower(o.name) = x.owner
    join repositories r on r.owner_id = o.id and lower(r.name) = x.name
    join work_items w on w.repository_id = r.id and w.number = x.number
    where ${seenLevel} is not null and ($6::text[] is null or r.id = any ($6) or r.visibility = 'public')`,
  forget: `
    delete from work_item_references
    where source_id = $1 and comment_id is not distinct from $2 and target_id <> all ($3::text[])`,
  keep: `
    insert into work_item_references (source_id, comment_id, target_id, closes)
    select $1, $2, x.target_id, x.closes from unnest($3::text[], $4::boolean[]) as x (target_id, closes)
    on conflict (source_id, comment_id, target_id) do update set closes = excluded.closes`,
  // Of another repository: it takes Write there.
  listClosed: `
    select w.repository_id, w.number from work_item_references x
    join merge_requests m on m.id = x.source_id join repositories s on s.id = m.repository_id
    join work_items w on w.id = x.target_id join repositories r on r.id = w.repository_id
    where x.source_id = $1 and x.closes and x.comment_id is null and m.target_branch = s.default_branch
      and w.kind = 'issue' and w.state = 'open' and not r.archived and r.deleted_at is null
      and (r.id = s.id or $3::boolean and ${closerLevel} >= 'write')
    order by w.repository_id, w.number`,
  findClosable: `
    select r.default_branch, n.owner, n.name from repositories r join repository_names n on n.repository_id = r.id
    where r.id = $1 and exists (
      select 1 from work_items w where w.repository_id = r.id and w.kind = 'issue' and w.state = 'open')`,
  listOpen: `
    select number from work_items
    where repository_id = $1 and kind = 'issue' and state = 'open' and number = any ($2::int[]) order by number`,
});

export interface Named {
  /** In lower case, as the name. */
  owner: string;
  name: string;
  number: number;
}

export interface Seeing {
  userId: string | null;
  isAdmin: boolean;
  /** Null: not limited. */
  repositoryIds: readonly string[] | null;
}

/** Those that exist and that the viewer sees. */
export function resolveItems(db: Queryable, named: readonly Named[], viewer: Seeing) {
  const { userId, isAdmin, repositoryIds } = viewer;
  return db.query(statements.resolve, [
    named.map(({ owner }) => owner),
    named.map(({ name }) => name),
    named.map(({ number }) => number),
    userId,
    isAdmin,
    repositoryIds,
  ]);
}

/** The text: the description of an item, or a comment below it. */
export interface TextOf {
  sourceId: string;
  commentId: string | null;
}

/** The text names these from now on, and no others. */
export async function replaceReferences(
  tx: Transaction,
  { sourceId, commentId }: TextOf,
  targets: readonly { id: string; closes: boolean }[],
): Promise<void> {
  const ids = targets.map(({ id }) => id);
  await tx.query(statements.forget, [sourceId, commentId, ids]);
  if (ids.length === 0) return;
  await tx.query(statements.keep, [sourceId, commentId, ids, targets.map(({ closes }) => closes)]);
}
