/** What was computed, in PostgreSQL: the cursor and the rows that go with it, changed together. */
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ResultRows } from "./result.rows.ts";
import { setPrimaryLanguage } from "../repositories/derived.store.ts";
import { addTo, nothing, type ActivitySums, type ContributorSums, type Sums } from "./activity-sums.ts";
import type { LanguageSum } from "./language-sums.ts";
import type { ManifestChanges } from "./manifests/collect.ts";
import { changeManifests } from "./manifest.store.ts";

export interface Cursor {
  /** null: the default branch had no commits. */
  commit: string | null;
  rules: string;
}

const moreWork = `commits = t.commits + excluded.commits, additions = t.additions + excluded.additions,
  deletions = t.deletions + excluded.deletions`;
const isLater = `(excluded.named_at, excluded.named_by collate "C") > (t.named_at, t.named_by collate "C")`;

export const statements = defineStatements<ResultRows>({
  readCursor: "select commit_sha as commit, rules from repository_statistics where repository_id = $1",
  touchCursor: "update repository_statistics set computed_at = now() where repository_id = $1",
  deleteLanguages: "delete from repository_languages where repository_id = $1",
  moveCursor: `
    update repository_statistics set commit_sha = $2, rules = $3, computed_at = now(),
      commits = $4 + case when $5 then commits else 0 end
    where repository_id = $1`,
  insertCursor: `
    insert into repository_statistics (repository_id, rules, commits) values ($1, $2, 0)
    on conflict do nothing returning repository_id`,
  lockCursor:
    "select commit_sha as commit, rules from repository_statistics where repository_id = $1 for update",
  deleteWeeks: "delete from repository_commit_weeks where repository_id = $1",
  deleteContributors: "delete from repository_contributors where repository_id = $1",
  deleteContributorWeeks: "delete from repository_contributor_weeks where repository_id = $1",
  addWeeks: `
    insert into repository_commit_weeks as t (repository_id, week, commits, additions, deletions)
    select $1, * from unnest($2::date[], $3::bigint[], $4::bigint[], $5::bigint[])
    on conflict (repository_id, week) do update set ${moreWork}`,
  addContributors: `
    insert into repository_contributors as t (repository_id, email, name, named_at, named_by,
      commits, additions, deletions, first_week, last_week)
    select $1, * from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[],
      $9::date[], $10::date[])
    on conflict (repository_id, email) do update set ${moreWork},
      name = case when ${isLater} then excluded.name else t.name end,
      named_by = case when ${isLater} then excluded.named_by else t.named_by end,
      named_at = greatest(t.named_at, excluded.named_at),
      first_week = least(t.first_week, excluded.first_week), last_week = greatest(t.last_week, excluded.last_week)`,
  addContributorWeeks: `
    insert into repository_contributor_weeks as t
      (repository_id, email, week, commits, additions, deletions)
    select $1, * from unnest($2::text[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[])
    on conflict (repository_id, email, week) do update set ${moreWork}`,
  addLanguages: `
    insert into repository_languages as t (repository_id, language, color, bytes, files)
    select $1, * from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[])
    on conflict (repository_id, language) do update
      set bytes = t.bytes + excluded.bytes, files = t.files + excluded.files`,
  deleteEmptyLanguages: "delete from repository_languages where repository_id = $1 and files = 0",
});

export function readCursor(db: Queryable, repositoryId: string): Promise<Cursor | undefined> {
  return db.one(statements.readCursor, [repositoryId]);
}

/** The stored result was checked, and is current. */
export async function touchCursor(db: Queryable, repositoryId: string): Promise<void> {
  await db.query(statements.touchCursor, [repositoryId]);
}

export interface Computed {
  repositoryId: string;
  /** Where the computation starts; undefined if there was nothing yet. */
  from: Cursor | undefined;
  to: Cursor;
  /** Whether rows are added to the existing ones, or replace them. */
  adds: { activity: boolean; languages: boolean };
  activity: ActivitySums;
  languages: Map<string, LanguageSum>;
  /** `gone` null: all existing ones. */
  manifests: { gone: string[] | null; read: ManifestChanges["read"] };
}

/** False when another computation has moved the cursor meanwhile; nothing is changed then. */
export function keepComputed(db: Database, computed: Computed): Promise<boolean> {
  const { repositoryId, to, adds, activity, languages } = computed;
  return db.transaction(async (tx) => {
    if (!(await takeCursor(tx, computed))) return false;
    if (!adds.activity) await removeActivity(tx, repositoryId);
    await addActivity(tx, repositoryId, activity);
    if (!adds.languages) await tx.query(statements.deleteLanguages, [repositoryId]);
    await addLanguages(tx, repositoryId, languages);
    await changeManifests(tx, repositoryId, computed.manifests);
    await tx.query(statements.moveCursor, [
      repositoryId,
      to.commit,
      to.rules,
      activity.commits,
      adds.activity,
    ]);
    // Last, since every push writes to this row, too.
    await setPrimaryLanguage(tx, repositoryId);
    return true;
  });
}

/** Holds it until the transaction ends. */
async function takeCursor(tx: Transaction, { repositoryId, from, to }: Computed): Promise<boolean> {
  const inserted = await tx.one(statements.insertCursor, [repositoryId, to.rules]);
  if (inserted) return from === undefined;
  const row = await tx.one(statements.lockCursor, [repositoryId]);
  return from !== undefined && row?.commit === from.commit && row.rules === from.rules;
}

async function removeActivity(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.deleteWeeks, [repositoryId]);
  await tx.query(statements.deleteContributors, [repositoryId]);
  await tx.query(statements.deleteContributorWeeks, [repositoryId]);
}

const rowsAtOnce = 5_000;

/** Calls back with columns, some thousand rows at a time. */
async function inBatches(
  rows: readonly (readonly unknown[])[],
  write: (columns: unknown[][]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce);
    await write((some[0] ?? []).map((_, column) => some.map((row) => row[column])));
  }
}

async function addActivity(tx: Transaction, repositoryId: string, activity: ActivitySums): Promise<void> {
  const people = [...activity.contributors];
  const weeks = [...sumWeeks(people)].map(([week, sums]) => [week, ...valuesOf(sums)]);
  await inBatches(weeks, (columns) => tx.query(statements.addWeeks, [repositoryId, ...columns]));
  const contributors = people.map(([email, person]) => {
    const active = [...person.weeks.keys()].sort();
    const { name, namedAt, namedBy } = person;
    return [email, name, namedAt, namedBy, ...valuesOf(person), active[0], active.at(-1)];
  });
  await inBatches(contributors, (columns) =>
    tx.query(statements.addContributors, [repositoryId, ...columns]),
  );
  const personWeeks = people.flatMap(([email, person]) =>
    [...person.weeks].map(([week, sums]) => [email, week, ...valuesOf(sums)]),
  );
  await inBatches(personWeeks, (columns) =>
    tx.query(statements.addContributorWeeks, [repositoryId, ...columns]),
  );
}

const valuesOf = ({ commits, additions, deletions }: Sums) => [commits, additions, deletions];

function sumWeeks(people: readonly [string, ContributorSums][]): Map<string, Sums> {
  const all = new Map<string, Sums>();
  for (const [, person] of people) {
    for (const [week, one] of person.weeks) {
      const sums = all.get(week) ?? nothing();
      addTo(sums, one);
      sums.commits += one.commits - 1;
      all.set(week, sums);
    }
  }
  return all;
}

async function addLanguages(
  tx: Transaction,
  repositoryId: string,
  languages: Map<string, LanguageSum>,
): Promise<void> {
  const rows = [...languages].map(([name, { color, bytes, files }]) => [name, color, bytes, files]);
  await inBatches(rows, (columns) => tx.query(statements.addLanguages, [repositoryId, ...columns]));
  await tx.query(statements.deleteEmptyLanguages, [repositoryId]);
}
