/** Rows of `fork_syncs`. */
import type { ForkBranch, ForkConflict } from "@forgeline/schemas/fork-syncs/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { storableJson } from "../../../platform/storable-text.ts";
import { forkSyncSql } from "./fork-sync-states.ts";
import type { ForkSyncsRows } from "./fork-syncs.rows.ts";

const { from, to } = forkSyncSql;
const keptDays = 30;
const maxKept = 1_000;

export type ForkSyncRow = RowOf<typeof statements.findSync>;
export type BegunSync = RowOf<typeof statements.beginSync>;

interface Written {
  branches: ForkBranch[];
  conflicts: ForkConflict[];
}

interface Known {
  /** As `endSync` and `notePlan` write them. */
  findSync: Written;
  /** The same. */
  findNewest: Written;
  /** The same. */
  listSyncs: Written;
  /** As `notePlan` writes them. */
  beginSync: Pick<Written, "branches">;
}

const columns = `s.id, s.repository_id, s.cause, s.branch, s.status, s.branches, s.conflicts, s.error, s.created_at, s.finished_at,
  u.username as user_name`;
const withUser = "from fork_syncs s left join users u on u.id = s.user_id";
const ofRepository = `${withUser} where s.repository_id = $1`;
const ends = {
  up_to_date: "find_nothing",
  fast_forwarded: "forward",
  merged: "merge",
  conflict: "clash",
} as const;
const endedAs = Object.entries(ends)
  .map(([status, event]) => `when '${status}' then ${to(event)}`)
  .join(" ");

export const statements = defineStatements<ForkSyncsRows, Known>({
  insertSync: `
    insert into fork_syncs (id, repository_id, cause, branch, user_id) values ($1, $2, $3, $4, $5) on conflict do nothing returning id`,
  repeatNewest: `
    insert into fork_syncs (id, repository_id, cause, branch, user_id)
    select $2, repository_id, cause, branch, user_id from fork_syncs where repository_id = $1 order by id desc limit 1
    on conflict do nothing returning id`,
  findOpen: `
    select s.id, s.branch from fork_syncs s where s.repository_id = $1 and s.status in ('waiting', 'running')`,
  findSync: `select ${columns} ${withUser} where s.id = $1`,
  findNewest: `select ${columns} ${ofRepository} order by s.id desc limit 1`,
  listSyncs: `select ${columns} ${ofRepository} order by s.id desc limit $2 offset $3`,
  beginSync: `
    update fork_syncs set status = ${to("begin")} where id = $1 and status in (${from("begin")}, 'running')
    returning id, repository_id, cause, branch, user_id, branches`,
  notePlan: "update fork_syncs set branches = $2 where id = $1 and status = 'running'",
  endSync: `
    update fork_syncs set finished_at = now(), status = case $2 ${endedAs} end, branches = $3, conflicts = $4
    where id = $1 and status in (${from("find_nothing")}) returning id`,
  failSync: `
    update fork_syncs set status = ${to("fail")}, finished_at = now(), error = $2, branches = '[]' where id = $1 and status in (${from("fail")})
    returning id`,
  stopOpen: `
    update fork_syncs set status = ${to("stop")}, finished_at = now(), error = $2 where repository_id = $1 and status in (${from("stop")})`,
  deleteOldSyncs: `
    delete from fork_syncs s using (
      select id, row_number() over (partition by repository_id order by id desc) as place from fork_syncs) o
    where o.id = s.id and s.finished_at is not null
      and (o.place > ${maxKept} or (o.place > 1 and s.finished_at < now() - interval '${keptDays} days')) returning s.id`,
});

/** False where one is open. */
export async function insertSync(
  tx: Transaction,
  sync: {
    id: string;
    repositoryId: string;
    cause: "manual" | "schedule";
    branch: string | null;
    userId: string | null;
  },
): Promise<boolean> {
  const { id, repositoryId, cause, branch, userId } = sync;
  return (await tx.one(statements.insertSync, [id, repositoryId, cause, branch, userId])) !== undefined;
}

/** Like the newest one; false where there is none, or one is open. */
export async function repeatNewest(tx: Transaction, repositoryId: string, id: string): Promise<boolean> {
  return (await tx.one(statements.repeatNewest, [repositoryId, id])) !== undefined;
}

/** Of a repository: one that waits or runs. */
export function findOpen(
  db: Queryable,
  repositoryId: string,
): Promise<ForkSyncsRows["findOpen"] | undefined> {
  return db.one(statements.findOpen, [repositoryId]);
}

export function findSync(db: Queryable, id: string): Promise<ForkSyncRow | undefined> {
  return db.one(statements.findSync, [id]);
}

export function findNewest(db: Queryable, repositoryId: string): Promise<ForkSyncRow | undefined> {
  return db.one(statements.findNewest, [repositoryId]);
}

/** Newest first. */
export async function listSyncs(
  db: Queryable,
  repositoryId: string,
  page: { page: number; per_page: number },
): Promise<{ rows: ForkSyncRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listSyncs, [repositoryId, page.per_page, offsetOf(page)]),
    countRows(db, ofRepository, [repositoryId]),
  ]);
  return { rows, total };
}

/** Also one that has begun already and was cut off; undefined for one that has ended. */
export function beginSync(db: Queryable, id: string): Promise<BegunSync | undefined> {
  return db.one(statements.beginSync, [id]);
}

/** What is about to be done. */
export async function notePlan(db: Queryable, id: string, branches: readonly ForkBranch[]): Promise<void> {
  await db.query(statements.notePlan, [id, storableJson(branches)]);
}

export interface ForkOutcome {
  status: keyof typeof ends;
  branches: readonly ForkBranch[];
  conflicts: readonly ForkConflict[];
}

/** False where it has ended already. */
export async function endSync(
  tx: Transaction,
  id: string,
  { status, branches, conflicts }: ForkOutcome,
): Promise<boolean> {
  const values = [id, status, storableJson(branches), storableJson(conflicts)];
  return (await tx.one(statements.endSync, values)) !== undefined;
}

/** False where it has ended already. */
export async function failSync(tx: Transaction, id: string, error: string): Promise<boolean> {
  return (await tx.one(statements.failSync, [id, error])) !== undefined;
}

export async function stopOpen(db: Queryable, repositoryId: string, error: string): Promise<void> {
  await db.query(statements.stopOpen, [repositoryId, error]);
}

/** All but the last one of each fork; how many. */
export async function deleteOldSyncs(db: Queryable): Promise<number> {
  return (await db.query(statements.deleteOldSyncs)).length;
}
