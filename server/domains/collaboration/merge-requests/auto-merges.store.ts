/** Merge requests that are merged as soon as nothing stands in their way. */
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { AutoMergesRows } from "./auto-merges.rows.ts";

interface Known {
  /** Conditions of columns that are never null, and whether there is a row. */
  findStanding: { is_own: boolean; writes: boolean };
  /** A merge request has a number and an author. */
  claim: { number: number };
}

/** Which runs the head has and what became of them; it changes when one begins or ends. */
const runsOf = (head: string, repository: string) => `(
      select md5(string_agg(p.id || p.status, ',' order by p.id)) from pipelines p
      where p.repository_id = ${repository} and (p.sha = ${head} or p.head_sha = ${head}))`;

/** Longer than a merge may take: what a server that died has left is tried again then. */
const claimedFor = "interval '150 seconds'";

export const statements = defineStatements<AutoMergesRows, Known>({
  enable: `
    insert into merge_request_auto_merges as a
      (merge_request_id, user_id, strategy, commit_message, delete_source_branch, sha, target_branch, may_push)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (merge_request_id) do update set user_id = excluded.user_id, strategy = excluded.strategy,
      commit_message = excluded.commit_message, delete_source_branch = excluded.delete_source_branch, sha = excluded.sha,
      target_branch = excluded.target_branch, may_push = excluded.may_push, enabled_at = now(), wanted = a.wanted + 1, due_at = now(), problem = null,
      merging_sha = null`,
  // Nobody may push to a branch of the repository itself without Write.
  findStanding: `
    select a.sha, a.target_branch, m.head_sha, m.target_branch as target_now,
      m.source_repository_id is not distinct from m.repository_id as is_own,
      exists (select from users u join repositories r on r.id = m.repository_id where u.id = $2
        and ${levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" })} >= 'write') as writes
    from merge_request_auto_merges a join merge_requests m on m.id = a.merge_request_id where a.merge_request_id = $1`,
  touch:
    "update merge_request_auto_merges set wanted = wanted + 1, due_at = now() where merge_request_id = $1",
  remove: "delete from merge_request_auto_merges where merge_request_id = $1 returning merging_sha, user_id",
  isStillWanted: `
    select merge_request_id from merge_request_auto_merges where merge_request_id = $1 and wanted = $2`,
  begin: `
    update merge_request_auto_merges set merging_sha = $3 where merge_request_id = $1 and wanted = $2 returning merge_request_id`,
  // What was seen stays, so one that is being tried meanwhile is found again after it.
  wakeByRuns: `
    update merge_request_auto_merges a set due_at = clock_timestamp()
    from (select x.merge_request_id from merge_request_auto_merges x join merge_requests m on m.id = x.merge_request_id
      where x.due_at > clock_timestamp() and x.runs_seen is distinct from ${runsOf("m.head_sha", "m.repository_id")}
      for update of x skip locked) changed
    where a.merge_request_id = changed.merge_request_id`,
  claim: `
    update merge_request_auto_merges a set due_at = clock_timestamp() + ${claimedFor},
      runs_seen = ${runsOf("due.head_sha", "due.repository_id")}
    from (select x.merge_request_id, m.repository_id, m.head_sha
      from merge_request_auto_merges x join merge_requests m on m.id = x.merge_request_id
      where ($1::text is null or x.merge_request_id = $1) and x.due_at <= clock_timestamp()
      order by x.due_at limit 1 for update of x skip locked) due
    where a.merge_request_id = due.merge_request_id
    returning a.merge_request_id, a.user_id, a.strategy, a.commit_message, a.delete_source_branch, a.may_push, a.wanted, a.enabled_at, due.repository_id,
      (select w.number from work_items w where w.id = a.merge_request_id) as number`,
  // What came meanwhile makes it due at once.
  wait: `
    update merge_request_auto_merges set due_at = clock_timestamp() + make_interval(secs => $3), problem = $4
    where merge_request_id = $1 and wanted = $2`,
});

export type ClaimedAutoMerge = RowOf<typeof statements.claim>;

export interface NewAutoMerge {
  id: string;
  userId: string;
  strategy: MergeStrategy;
  commitMessage: string | undefined;
  deleteSourceBranch: boolean;
  sha: string | undefined;
  target: string;
  /** Whether the credential could push. */
  mayPush: boolean;
}

/** Instead of what was asked for before. The work item is locked. */
export async function enable(tx: Transaction, wanted: NewAutoMerge): Promise<void> {
  const {
    id,
    userId,
    strategy,
    commitMessage = null,
    deleteSourceBranch,
    sha = null,
    target,
    mayPush,
  } = wanted;
  const asked = [strategy, commitMessage, deleteSourceBranch, sha, target, mayPush];
  await tx.query(statements.enable, [id, userId, ...asked]);
}

/** Against what it was asked for, and whether this person may write now; undefined: it was not asked for. */
export function findStanding(
  tx: Transaction,
  id: string,
  bringerId: string | null,
): Promise<RowOf<typeof statements.findStanding> | undefined> {
  return tx.one(statements.findStanding, [id, bringerId]);
}

/** Something may have changed the answer. */
export async function touch(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.touch, [id]);
}

/** What was asked for, and by whom. */
export interface RemovedAutoMerge {
  /** What its own merge was about to make of the target. */
  mergingSha: string | null;
  /** Null: the account is gone. */
  userId: string | null;
}

/** Undefined where it was not asked for. */
export async function remove(tx: Transaction, id: string): Promise<RemovedAutoMerge | undefined> {
  const row = await tx.one(statements.remove, [id]);
  return row && { mergingSha: row.merging_sha, userId: row.user_id };
}

type Claimed = Pick<ClaimedAutoMerge, "merge_request_id" | "wanted">;

/** False where it was asked for anew, cancelled, or something has happened since it was claimed. The work item is locked. */
export async function isStillWanted(tx: Transaction, claimed: Claimed): Promise<boolean> {
  return (await tx.one(statements.isStillWanted, [claimed.merge_request_id, claimed.wanted])) !== undefined;
}

/** False where it was asked for anew, changed or cancelled since it was claimed. */
export async function begin(tx: Transaction, claimed: Claimed, sha: string): Promise<boolean> {
  return (await tx.one(statements.begin, [claimed.merge_request_id, claimed.wanted, sha])) !== undefined;
}

/** Makes those due whose runs have changed since they were tried. It reads the runs of all that wait. */
export async function wakeByRuns(db: Queryable): Promise<void> {
  await db.query(statements.wakeByRuns);
}

/** One that is due, of `id` if given, for some minutes; after that it is due again. */
export function claim(db: Queryable, id: string | null = null): Promise<ClaimedAutoMerge | undefined> {
  return db.one(statements.claim, [id]);
}

/** `problem`: what nothing else on the page says. */
export async function wait(
  db: Queryable,
  claimed: Claimed,
  { seconds, problem }: { seconds: number; problem: string | null },
): Promise<void> {
  await db.query(statements.wait, [claimed.merge_request_id, claimed.wanted, seconds, problem]);
}
