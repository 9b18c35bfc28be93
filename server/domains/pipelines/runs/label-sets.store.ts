/** The different sets of runner labels that are queued. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { LabelSetsRows } from "./label-sets.rows.ts";

export const statements = defineStatements<LabelSetsRows>({
  readSets: `
    with recursive sets as (
      (select labels from job_attempts where state = 'queued' and repository_id = $1 order by labels limit 1)
      union all
      select next.labels from sets s cross join lateral (
        select labels from job_attempts where state = 'queued' and repository_id = $1 and labels > s.labels
        order by labels limit 1) next
    ) select labels from sets`,
  // The count is a second statement on purpose: it sees what those have queued who held the lock before.
  lockOwner: `select pg_advisory_xact_lock(hashtextextended('labels ' || owner_id, 0)) from repositories where id = $1`,
  countSets: `
    with recursive sets as (
      select first.* from repositories own join repositories r on r.owner_id = own.owner_id cross join lateral (
        select a.repository_id, a.labels from job_attempts a where a.state = 'queued' and a.repository_id = r.id
        order by a.labels limit 1) first
      where own.id = $1
      union all
      select next.* from sets s cross join lateral (
        select a.repository_id, a.labels from job_attempts a
        where a.state = 'queued' and a.repository_id = s.repository_id and a.labels > s.labels
        order by a.labels limit 1) next
    ) select count(*) - count(distinct repository_id) as counted from sets`,
});

/** Of a repository. The index skips from set to set, as claims do. */
export async function readSets(tx: Transaction, repositoryId: string): Promise<string[][]> {
  const rows = await tx.query(statements.readSets, [repositoryId]);
  return rows.map(({ labels }) => labels);
}

/**
 * In all repositories of the owner, except the first of each; the caller makes others of the same owner wait until the commit.
 * The count is a second statement on purpose: it sees what those have queued who held the lock before.
 */
export async function countSets(tx: Transaction, repositoryId: string): Promise<number> {
  await tx.query(statements.lockOwner, [repositoryId]);
  const row = await tx.one(statements.countSets, [repositoryId]);
  return row?.counted ?? 0;
}
