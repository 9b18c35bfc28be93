/**
 * How many different sets of runner labels an owner may have queued. Each claim of each runner looks at every set that fits
 * the runner, so their number is what one owner can cost all others.
 */
import type { Transaction } from "../../../platform/db/database.ts";

/** In all repositories of one owner; the first set of each repository is not counted. */
export const mostSets = 250;

export interface LabelRoom {
  /** Null where a job that asks for `labels` may be queued, which it then counts as; else a sentence for people. */
  take(labels: readonly string[]): Promise<string | null>;
}

interface Queued {
  /** Those of the repository, as JSON. */
  sets: Set<string>;
  /** Those of the owner that count; null while nobody needed to know. */
  counted: number | null;
}

/** Reads the queue when it is first asked. Who needs a further set keeps others of the same owner waiting until the commit. */
export function createLabelRoom(tx: Transaction, repositoryId: string): LabelRoom {
  let queued: Queued | undefined;
  return {
    async take(labels) {
      const set = JSON.stringify(labels);
      queued ??= { sets: await readSets(tx, repositoryId), counted: null };
      if (queued.sets.has(set)) return null;
      if (queued.sets.size > 0) {
        queued.counted ??= await countSets(tx, repositoryId);
        if (queued.counted >= mostSets) return tooMany;
        queued.counted += 1;
      }
      queued.sets.add(set);
      return null;
    },
  };
}

const tooMany =
  `The repositories of this owner have ${mostSets} more sets of runner labels queued than repositories; ` +
  "a job with another set can be queued when some of them have begun.";

/** The index skips from set to set, as claims do. */
async function readSets(tx: Transaction, repositoryId: string): Promise<Set<string>> {
  const rows = await tx.query<{ labels: string[] }>(
    `with recursive sets as (
       (select labels from job_attempts where state = 'queued' and repository_id = $1 order by labels limit 1)
       union all
       select next.labels from sets s cross join lateral (
         select labels from job_attempts where state = 'queued' and repository_id = $1 and labels > s.labels
         order by labels limit 1) next
     ) select labels from sets`,
    [repositoryId],
  );
  return new Set(rows.map(({ labels }) => JSON.stringify(labels)));
}

/** A second statement on purpose: it sees what those have queued who held the lock before. */
async function countSets(tx: Transaction, repositoryId: string): Promise<number> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('labels ' || owner_id, 0)) from repositories where id = $1`,
    [repositoryId],
  );
  const row = await tx.one<{ counted: number }>(
    `with recursive sets as (
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
    [repositoryId],
  );
  return row?.counted ?? 0;
}
