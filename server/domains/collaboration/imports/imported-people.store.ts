/** Texts and assignments of people of another host who have no account here yet. A name is HOST/LOGIN. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ImportedPeopleRows } from "./imported-people.rows.ts";

/** Of one transaction: each row locks its text. */
const atOnce = 2_000;

const namesOf = (table: "work_items" | "comments" | "reviews") => `
  select t.imported_author as name from ${table} t
  where t.repository_id = $1 and t.author_id is null and t.imported_author is not null`;
const assigned = `
  select a.name from imported_assignees a join work_items w on w.id = a.work_item_id where w.repository_id = $1`;
const unnamed = `(
  select min(n.name) as name, count(*)::int as texts
  from (${namesOf("work_items")} union all ${namesOf("comments")} union all ${namesOf("reviews")} union all ${assigned}) n
  where starts_with(lower(n.name), lower($2::text)) and lower(n.name) <> lower($2::text || 'ghost')
  group by lower(n.name)) p`;

const give = (table: "work_items" | "comments" | "reviews") => `
  update ${table} t set author_id = $3 from (
    select s.id from ${table} s
    where s.repository_id = $1 and s.author_id is null and lower(s.imported_author) = lower($2) limit ${atOnce}) part
  where t.id = part.id returning t.id`;

export const statements = defineStatements<ImportedPeopleRows>({
  listUnnamed: `select p.name, p.texts from ${unnamed} order by p.texts desc, p.name limit $3 offset $4`,
  findUnnamed: `select p.name, p.texts from ${unnamed} where lower(p.name) = lower($3)`,
  giveItems: give("work_items"),
  giveComments: give("comments"),
  giveReviews: give("reviews"),
  // A thread is of whoever wrote its first comment.
  giveThreads: `
    update review_threads t set author_id = $3 from (
      select s.id from review_threads s
      where s.repository_id = $1 and s.author_id is null and lower($2) = (
        select lower(c.imported_author) from comments c where c.thread_id = s.id order by c.created_at, c.id limit 1)
      limit ${atOnce}) part
    where t.id = part.id returning t.id`,
  assign: `
    with gone as (
      delete from imported_assignees a using work_items w
      where w.id = a.work_item_id and w.repository_id = $1 and lower(a.name) = lower($2) returning a.work_item_id)
    insert into work_item_assignees (work_item_id, user_id) select g.work_item_id, $3 from gone g on conflict do nothing`,
  addUnnamed: `
    insert into imported_assignees (work_item_id, name) select $1, x.name from unnest($2::text[]) as x (name) on conflict do nothing`,
});

export interface UnnamedPerson {
  name: string;
  /** Issues, merge requests, comments, reviews and assignments. */
  texts: number;
}

/** Those at this host, who has the most first. */
export async function listUnnamed(
  db: Queryable,
  { repositoryId, host, page }: { repositoryId: string; host: string; page: PageQuery },
): Promise<{ rows: UnnamedPerson[]; total: number }> {
  const whose = [repositoryId, `${host}/`];
  const [rows, total] = await Promise.all([
    db.query(statements.listUnnamed, [...whose, page.per_page, offsetOf(page)]),
    countRows(db, `from ${unnamed}`, whose),
  ]);
  return { rows: rows.map(personOf), total };
}

export async function findUnnamed(
  db: Queryable,
  { repositoryId, host, login }: { repositoryId: string; host: string; login: string },
): Promise<UnnamedPerson | undefined> {
  const row = await db.one(statements.findUnnamed, [repositoryId, `${host}/`, `${host}/${login}`]);
  return row && personOf(row);
}

const personOf = ({ name, texts }: { name: string | null; texts: number }) => ({ name: name ?? "", texts });

export interface Giving {
  repositoryId: string;
  name: string;
  userId: string;
}

/** Gives a part of what this name has to an account; false: nothing is left. Safe to call again. */
export async function giveSome(tx: Transaction, { repositoryId, name, userId }: Giving): Promise<boolean> {
  const values = [repositoryId, name, userId];
  await tx.query(statements.assign, values);
  // Threads are found by their comments, which lose nothing when they get an author.
  const { giveItems, giveComments, giveReviews, giveThreads } = statements;
  const counts = [];
  for (const statement of [giveItems, giveComments, giveReviews, giveThreads])
    counts.push((await tx.query(statement, values)).length);
  return counts.includes(atOnce);
}

export async function addUnnamed(tx: Transaction, id: string, names: readonly string[]): Promise<void> {
  if (names.length > 0) await tx.query(statements.addUnnamed, [id, [...names]]);
}
