/** Finds issues and merge requests in all repositories that somebody may read, a page and the total in one statement. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, unpreparedOf, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import { itemColumns, type KnownOfItem } from "../work-items/columns.store.ts";
import type { Condition, SearchedKind, SearchOrder } from "./conditions.ts";
import { conditionsSql, isPlace, placesSql } from "./conditions.store.ts";
import type { SearchRows } from "./search.rows.ts";

interface Known {
  /** As in the list of issues; the two kinds and three states that exist. */
  search: KnownOfItem & { kind: SearchedKind; state: "open" | "closed" | "merged"; held: RepositoryLevel };
}

const level = levelSql({ repository: "r", user: "$1::text", admin: "$2::boolean" });
const sortKeys = {
  created: "w.created_at",
  updated: "w.updated_at",
  comments: "w.comments_count",
} as const;

/** Found at most, where the search begins with what may be read; more are not counted. */
const maxCounted = 10_000;

interface Texts {
  /** About items `w`. */
  conditions: string;
  /** About repositories `r` that are looked in; null: in whichever something is found. */
  places: string | null;
}

const readableSql = (where: string) => `readable as materialized (
    select r.id, r.visibility, l.held from repositories r cross join lateral (select ${level} as held) l
    where ${where} and l.held is not null and ($3::text[] is null or r.id = any ($3) or r.visibility = 'public'))`;

/**
 * The level is asked once for each repository. Where it is said in which, or where everyone may read them, first of all, so that what
 * nobody may know of takes no time either; else only for those in which something is found.
 */
const foundSql = ({ conditions, places }: Texts, { sort, direction }: SearchOrder) => {
  const columns = `w.id, w.repository_id, w.kind, ${sortKeys[sort]} as sort`;
  if (places === null)
    return `found as materialized (select ${columns} from work_items w where ${conditions}),
  ${readableSql("r.id in (select f.repository_id from found f)")}`;
  return `${readableSql(places)},
  found as (
    select ${columns} from work_items w join readable e on e.id = w.repository_id
    where exists (select 1 from readable) and (w.kind = any ($4::text[]) or e.visibility = 'public') and ${conditions}
    order by sort ${direction}, w.id ${direction} limit ${maxCounted})`;
};

const searchSql = (texts: Texts, order: SearchOrder) => `
  with ${foundSql(texts, order)},
  page as (
    select f.id, f.sort, r.held, count(*) over ()::int as total from found f join readable r on r.id = f.repository_id
    where f.kind = any ($4::text[]) or r.visibility = 'public'
    order by f.sort ${order.direction}, f.id ${order.direction} limit $5 offset $6)
  select page.total, page.held, n.full_name, w.kind, coalesce(m.draft, false) as draft, ${itemColumns("$1")}
  from page join work_items w on w.id = page.id join repository_names n on n.repository_id = w.repository_id
    left join merge_requests m on m.id = w.id
  order by page.sort ${order.direction}, w.id ${order.direction}`;

export const statements = defineStatements<SearchRows, Known>({
  search: searchSql({ conditions: "true", places: null }, { sort: "created", direction: "desc" }),
  limitTime: "select set_config('statement_timeout', $1, true)",
});

export type FoundRow = RowOf<typeof statements.search>;

export interface SearchViewer {
  userId: string | null;
  isAdmin: boolean;
  /** Those that the token is limited to; null: not limited. */
  repositoryIds: readonly string[] | null;
  /** Those that the token may read where not everybody may. */
  kinds: readonly SearchedKind[];
}

export interface Search {
  conditions: readonly Condition[];
  order: SearchOrder;
  limit: number;
  offset: number;
}

const joined = (parts: readonly string[]) => (parts.length === 0 ? "true" : parts.join(" and "));

/** Each text is another statement, so none is kept prepared. */
export async function search(
  tx: Queryable,
  { userId, isAdmin, repositoryIds, kinds }: SearchViewer,
  { conditions, order, limit, offset }: Search,
): Promise<{ rows: FoundRow[]; total: number }> {
  const params: unknown[] = [userId, isAdmin, repositoryIds, kinds, limit, offset];
  const places = placesSql(conditions.filter(isPlace), { id: "r.id", params });
  if (userId === null && !isAdmin) places.unshift("r.visibility = 'public'");
  const others = conditions.filter((condition) => !isPlace(condition));
  const texts = {
    conditions: joined(conditionsSql(others, { params, repository: null })),
    places: places.length === 0 ? null : joined(places),
  };
  const text = searchSql(texts, order);
  const statement = unpreparedOf(statements.search, text);
  const rows = await tx.query(statement, params);
  const [first = offset > 0 ? await tx.one(statement, params.with(4, 1).with(5, 0)) : undefined] = rows;
  return { rows, total: first?.total ?? 0 };
}

/** Statements of the transaction that take longer fail with 57014. */
export async function limitTime(tx: Transaction, maxMs: number): Promise<void> {
  await tx.one(statements.limitTime, [String(maxMs)]);
}
