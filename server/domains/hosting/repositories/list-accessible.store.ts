/**
 * The repositories that somebody owns, collaborates on, or has through organizations and teams, by name. Each source is read in
 * the order of its index and no further than the page needs, and skips what an earlier source returned, so that a list is as
 * fast for somebody with a million repositories as for somebody with ten.
 */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ListAccessibleRows } from "./list-accessible.rows.ts";
import { levelSql } from "../../policy/domain.ts";
import { columns, type RepositoryRow } from "./repositories.store.ts";

/** Where rows come from: the table expression, and conditions on `r`. `$1` is the user. */
interface Source {
  /** A few rows, for each of which an ordered part of `repositories` is read. */
  each?: string;
  from: string;
  where: string;
}

const notOwned = `r.owner_id <> $1 and not exists (select 1 from organization_members om
  where om.organization_id = r.owner_id and om.user_id = $1 and (om.role = 'owner' or r.visibility <> 'private'))
  and not exists (select 1 from users bot
    where bot.id = $1 and bot.organization_id = r.owner_id and r.visibility <> 'private')`;

const sources: readonly Source[] = [
  { from: "repositories r", where: "r.owner_id = $1" },
  {
    each: "select organization_id from organization_members where user_id = $1 and role = 'owner'",
    from: "repositories r",
    where: "r.owner_id = each.organization_id",
  },
  {
    each: `select organization_id from organization_members where user_id = $1 and role = 'member'
      union all select organization_id from users where id = $1 and organization_id is not null`,
    from: "repositories r",
    where: "r.owner_id = each.organization_id and r.visibility <> 'private'",
  },
  {
    from: "collaborators c join repositories r on r.id = c.repository_id",
    where: `c.user_id = $1 and ${notOwned}`,
  },
  {
    from: "repositories r",
    where: `r.id in (select tr.repository_id from team_members tm join teams t on t.id = tm.team_id
        join team_repositories tr on tr.team_id = any (t.lineage) where tm.user_id = $1)
      and ${notOwned} and not exists (select 1 from collaborators c where c.repository_id = r.id and c.user_id = $1)`,
  },
];

/** `limit` ends each part; `ids` is the parameter with the repositories to which a token is limited. */
function idsSql({ limit, ids }: { limit: string | null; ids: string | null }): string {
  const tail = limit === null ? "" : `order by lower(r.name), r.id limit ${limit}`;
  const parts = sources.map(({ each, from, where }) => {
    const part = `select r.id, lower(r.name) as sort from ${from}
      where ${where} and r.deleted_at is null ${ids === null ? "" : `and r.id = any (${ids}::text[])`} ${tail}`;
    return each === undefined
      ? `(${part})`
      : `(select part.id, part.sort from (${each}) each cross join lateral (${part}) part)`;
  });
  return parts.join(" union all ");
}

function textsOf(limited: boolean) {
  const level = levelSql({ repository: "r", user: "$1::text", admin: "$2::boolean" });
  const page = idsSql({ limit: "($3::bigint + $4::bigint)", ids: limited ? "$5" : null });
  return {
    page: `select ${columns}, ${level} as level
      from (select id from (${page}) found order by sort, id limit $3 offset $4) shown
      join repositories r on r.id = shown.id join owners o on o.id = r.owner_id order by lower(r.name), r.id`,
    total: `from (${idsSql({ limit: null, ids: limited ? "$2" : null })}) found`,
  };
}

const unlimited = textsOf(false);
const limited = textsOf(true);

interface Known {
  /** Each row comes from a source that gives the user a level. */
  listAccessible: { level: RepositoryLevel };
  listLimited: { level: RepositoryLevel };
}

export const statements = defineStatements<ListAccessibleRows, Known>({
  listAccessible: unlimited.page,
  listLimited: limited.page,
});

export async function listAccessible(
  db: Queryable,
  viewer: { userId: string; isAdmin: boolean; repositoryIds: readonly string[] | null },
  page: { limit: number; offset: number },
): Promise<{ rows: (RepositoryRow & { level: RepositoryLevel })[]; total: number }> {
  const { userId, isAdmin, repositoryIds } = viewer;
  const limits = repositoryIds === null ? [] : [repositoryIds];
  const isLimited = repositoryIds !== null;
  const statement = isLimited ? statements.listLimited : statements.listAccessible;
  const rows = await db.query(statement, [userId, isAdmin, page.limit, page.offset, ...limits]);
  const { total } = isLimited ? limited : unlimited;
  return { rows, total: await countRows(db, total, [userId, ...limits]) };
}
