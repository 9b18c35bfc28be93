/** Lists of repositories that the caller can see, filtered and counted in SQL. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type Statement } from "../../../platform/db/statement.ts";
import type { VisibleListRows } from "./visible-list.rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import { levelSql } from "../../policy/domain.ts";
import { columns, type RepositoryRow } from "./repositories.store.ts";

export type VisibleRepositoryRow = RepositoryRow & { level: RepositoryLevel };

const level = levelSql({ repository: "r", user: "$2::text", admin: "$3::boolean" });
const visibleWhere = (place: string) =>
  `from repositories r join owners o on o.id = r.owner_id cross join lateral (select ${level} as held) l
  where ${place} = $1 and r.deleted_at is null and l.held is not null and ($4::text[] is null or r.id = any($4) or r.visibility = 'public')`;
const visibleOfOwner = visibleWhere("r.owner_id");
const visibleOfUpstream = visibleWhere("r.upstream_id");
const listSql = (seen: string, order: string) => `
    select ${columns}, case when $5 or not r.id = any(coalesce($4, array[r.id])) then 'read' else l.held end as level
    ${seen} order by ${order} limit $6 offset $7`;

interface Known {
  /** Others are left out. */
  listVisible: { level: RepositoryLevel };
  listForks: { level: RepositoryLevel };
}

export const statements = defineStatements<VisibleListRows, Known>({
  listVisible: listSql(visibleOfOwner, "lower(r.name), r.id"),
  listForks: listSql(visibleOfUpstream, "r.id desc"),
});

export interface VisiblePage {
  rows: VisibleRepositoryRow[];
  total: number;
}

/**
 * By name. A token without `repo:read` sees what everyone sees; a limited one sees only public repositories outside its limit.
 */
export function listVisible(
  db: Queryable,
  { ownerId, actor, page }: { ownerId: string; actor: Actor; page: PageQuery },
): Promise<VisiblePage> {
  return list(db, { statement: statements.listVisible, seen: visibleOfOwner }, { id: ownerId, actor, page });
}

/** Newest first; as `listVisible`. */
export function listForks(
  db: Queryable,
  { upstreamId, actor, page }: { upstreamId: string; actor: Actor; page: PageQuery },
): Promise<VisiblePage> {
  return list(
    db,
    { statement: statements.listForks, seen: visibleOfUpstream },
    { id: upstreamId, actor, page },
  );
}

async function list(
  db: Queryable,
  { statement, seen }: { statement: Statement<VisibleRepositoryRow>; seen: string },
  { id, actor, page }: { id: string; actor: Actor; page: PageQuery },
): Promise<VisiblePage> {
  const mayRead = hasScope(actor, "repo:read");
  const params = [id, mayRead ? actor.userId : null, mayRead && actor.isAdmin, actor.repositoryIds];
  const total = await countRows(db, seen, params);
  const rows = await db.query(statement, [
    ...params,
    !mayRead || actor.job !== null,
    page.per_page,
    offsetOf(page),
  ]);
  return { rows, total };
}
