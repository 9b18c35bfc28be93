/** Lists of repositories that show what the caller sees and nothing else: filtered and counted where they are made. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../db/count-rows.ts";
import type { Queryable } from "../../db/database.ts";
import { offsetOf } from "../../db/page.ts";
import type { Actor } from "../identity/actor.ts";
import { hasScope } from "../policy/requirement.ts";
import { levelSql } from "./level-sql.ts";
import { columns, type RepositoryRow } from "./store.ts";

export type VisibleRepositoryRow = RepositoryRow & { level: RepositoryLevel };

const level = levelSql({ repository: "r", user: "$2::text", admin: "$3::boolean" });
const seen = `from repositories r join owners o on o.id = r.owner_id cross join lateral (select ${level} as held) l
  where r.owner_id = $1 and r.deleted_at is null and l.held is not null and ($4::text[] is null or r.id = any($4) or r.visibility = 'public')`;

/** By name. A token without `repo:read` sees what everyone sees; one that is limited, of others only what is public. */
export async function listVisible(
  db: Queryable,
  { ownerId, actor, page }: { ownerId: string; actor: Actor; page: PageQuery },
): Promise<{ rows: VisibleRepositoryRow[]; total: number }> {
  const mayRead = hasScope(actor, "repo:read");
  const params = [ownerId, mayRead ? actor.userId : null, mayRead && actor.isAdmin, actor.repositoryIds];
  const total = await countRows(db, seen, params);
  const rows = await db.query<VisibleRepositoryRow>(
    `select ${columns}, case when $5 or not r.id = any(coalesce($4, array[r.id])) then 'read' else l.held end as level
     ${seen} order by lower(r.name), r.id limit $6 offset $7`,
    [...params, !mayRead || actor.job !== null, page.per_page, offsetOf(page)],
  );
  return { rows, total };
}
