/** Reads and writes merge requests, each with all that its record shows, in one statement. */
import type { QueueState } from "@forgeline/schemas/merge-queue/resource.ts";
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import { maxReviewers, type MergeRequestState } from "@forgeline/schemas/merge-requests/resource.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { itemColumns, type KnownOfItem } from "../work-items/columns.store.ts";
import type { MergeRequestsRows } from "./merge-requests.rows.ts";

/** What functions and JSON give, of which the database knows no more. */
export interface KnownOfMergeRequest extends KnownOfItem {
  /** Its table of states has no others. */
  state: MergeRequestState;
  merged_by: UserSnapshot | null;
  source_repo: { id: string; full_name: string } | null;
  pipeline: {
    id: string;
    number: number;
    status: Status;
    /** null: it runs on the head. */
    merged_result: { sha: string; target_sha: string | null } | null;
  } | null;
  reviewers: UserSnapshot[];
  merge_queue: QueuedSnapshot | null;
  auto_merge: {
    strategy: MergeStrategy;
    enabled_by: UserSnapshot | null;
    enabled_at: string;
    delete_source_branch: boolean;
    sha: string | null;
    problem: string | null;
  } | null;
  /** Whether there is a row is never null. */
  asks_teams: boolean;
  /** As long as it is open; of columns that are never null, or compared with null. */
  is_look_due: boolean;
}

/** Where it waits. */
export interface QueuedSnapshot {
  position: number;
  state: QueueState;
  queued_by: UserSnapshot | null;
  queued_at: string;
}

interface Known {
  /** Why is said above, column by column. */
  findMergeRequest: KnownOfMergeRequest;
}

/** Who was asked, and who submitted a review here: what an import brought says nothing of whom it was named for. */
const reviewersSql = `(select coalesce(jsonb_agg(user_snapshot(rw.user_id) order by lower(rw.username)), '[]') from (
      select u.id as user_id, u.username from users u
      where u.id in (select x.user_id from merge_request_reviewers x where x.merge_request_id = m.id
          union all select rv.author_id from reviews rv where rv.merge_request_id = m.id and rv.state <> 'pending'
            and rv.imported_author is null)
        and u.id is distinct from w.author_id
      order by lower(u.username) limit ${maxReviewers}) rw) as reviewers`;

const queuedSql = `(select jsonb_build_object('position', (select count(*) from merge_queue_entries o
        where o.repository_id = q.repository_id and o.branch = q.branch and o.place <= q.place),
      'state', coalesce(b.state, 'queued'), 'queued_by', user_snapshot(q.queued_by), 'queued_at', q.queued_at)
    from merge_queue_entries q left join merge_queue_batches b on b.id = q.batch_id where q.merge_request_id = m.id) as merge_queue`;

/** Pages that stay open ask every few moments; so often is it written down. */
const lookedFor = "interval '30 seconds'";

/** `viewer` is the parameter of who looks at it. */
export const columns = (
  viewer: string,
) => `${itemColumns(viewer)}, m.source_repository_id, m.source_branch, m.source_problem, m.target_branch, m.is_open, m.draft, m.maintainer_can_modify, m.head_sha,
    m.target_sha, m.merge_base_sha, m.mergeability, m.conflicts, m.merging_sha, m.merged_at, m.merge_sha, m.merge_strategy,
    user_snapshot(m.merged_by) as merged_by,
    (select jsonb_build_object('id', s.repository_id, 'full_name',
        case when r.visibility = 'public' or r.id = m.repository_id then s.full_name else coalesce(m.source_name, s.full_name) end)
      from repository_names s join repositories r on r.id = s.repository_id
      where s.repository_id = m.source_repository_id and s.deleted_at is null) as source_repo,
    (select jsonb_build_object('id', p.id, 'number', p.number, 'status', p.status, 'merged_result',
        case when p.sha <> p.head_sha then jsonb_build_object('sha', p.sha, 'target_sha', p.event #>> '{mergeRequest,target_sha}') end)
      from pipelines p
      where p.repository_id = m.repository_id and (p.sha = m.head_sha and p.head_sha is null
        or p.head_sha = m.head_sha and p.merge_request_number = w.number and p.event #>> '{mergeRequest,target_branch}' = m.target_branch)
      -- A file that another run has run for the commit says nothing.
      order by p.status = 'skipped' and split_part(p.reason, ':', 1) in ('merge_request', 'pushed'),
        p.source = 'merge_request' and p.merge_request_number = w.number desc, p.number desc limit 1) as pipeline,
    (select jsonb_build_object('strategy', a.strategy, 'enabled_by', user_snapshot(a.user_id), 'enabled_at', a.enabled_at,
        'delete_source_branch', a.delete_source_branch, 'sha', a.sha, 'problem', a.problem)
      from merge_request_auto_merges a where a.merge_request_id = m.id) as auto_merge,
    ${queuedSql}, ${reviewersSql}, exists (select 1 from merge_request_reviewers x where x.merge_request_id = m.id and x.team_id is not null) as asks_teams,
    m.is_open and (m.looked_at is null or m.looked_at < now() - ${lookedFor}) as is_look_due`;
export const from = "from merge_requests m join work_items w on w.id = m.id";

/** Past it a merge that has not come to an end is over: its process died, or the database was away. */
const mergingFor = "interval '2 minutes'";

export const statements = defineStatements<MergeRequestsRows, Known>({
  findMergeRequest: `select ${columns("$3")} ${from} where w.repository_id = $1 and w.number = $2`,
  insertMergeRequest: `
    insert into merge_requests (id, repository_id, source_repository_id, source_branch, target_branch, draft, head_sha, target_sha,
      merge_base_sha, source_name, source_visibility, maintainer_can_modify)
    values ($1, $2, $9, $3, $4, $5, $6, $7, $8, $10, $11, $12) on conflict do nothing returning id`,
  findOpen: `
    select w.number ${from} where m.repository_id = $1 and m.source_repository_id = $4 and m.source_branch = $2
      and m.target_branch = $3 and m.is_open`,
  readBranches: `
    select m.id, m.source_branch, m.target_branch, m.draft, m.is_open, m.head_sha, m.check_wanted,
      m.merging_at > now() - ${mergingFor} as is_merging, m.merging_sha from merge_requests m where m.id = $1`,
  // Those who are not asked for drafts are asked then.
  setDraft: `
    update merge_requests set draft = $2, check_wanted = check_wanted + 1, check_due_at = case when is_open then now() end
    where id = $1`,
  // What the target would have become is not kept any longer.
  setClosed: `
    update merge_requests set is_open = false, check_wanted = check_wanted + 1, check_due_at = now() where id = $1`,
  compareAgain: `
    update merge_requests set is_open = true, target_branch = $2, head_sha = $3, target_sha = $4, merge_base_sha = $5,
      mergeability = 'checking', conflicts = '{}', check_wanted = check_wanted + 1, check_due_at = now()
    where id = $1`,
  setHead: `
    update merge_requests set head_sha = $2, mergeability = 'checking', check_wanted = check_wanted + 1, check_due_at = now()
    where id = $1`,
  // Whoever only reads waits for nobody.
  setLookedAt: `
    update merge_requests set looked_at = now()
    where id = (select id from merge_requests where id = $1 and is_open for update skip locked)`,
  beginMerging: `
    update merge_requests set merging_sha = $2, merging_head_sha = $3, merging_strategy = $4, merging_by = $5, merging_at = now(),
      target_sha = $6, merge_base_sha = $7, bypass_reason = $8, merging_tip = $9, bypass_missing = $10
    where id = $1 and is_open and (merging_at is null or merging_at < now() - ${mergingFor}) returning id`,
  endMerging: `
    update merge_requests set merging_sha = null, merging_head_sha = null, merging_strategy = null, merging_by = null, merging_at = null,
      merging_tip = null
    where id = $1 and merging_sha = $2`,
  setMerged: `
    update merge_requests set is_open = false, mergeability = 'clean', conflicts = '{}', merged_at = now(), merged_by = $2,
      merge_sha = $3, merge_strategy = case when merging_sha = $3 then merging_strategy end,
      head_sha = case when merging_sha = $3 then merging_head_sha else head_sha end,
      bypass_reason = case when merging_sha = $3 then bypass_reason end,
      bypass_missing = case when merging_sha = $3 then bypass_missing end,
      merging_sha = null, merging_head_sha = null, merging_strategy = null, merging_by = null, merging_at = null, merging_tip = null,
      check_due_at = now()
    where id = $1 returning bypass_reason, bypass_missing`,
});

export type MergeRequestRow = RowOf<typeof statements.findMergeRequest>;
export type BranchesRow = RowOf<typeof statements.readBranches>;

export function findMergeRequest(
  db: Queryable,
  repositoryId: string,
  number: number,
): Promise<MergeRequestRow | undefined> {
  return findSeenMergeRequest(db, { repositoryId, number }, null);
}

/** With which reactions are the viewer's own. */
export function findSeenMergeRequest(
  db: Queryable,
  { repositoryId, number }: { repositoryId: string; number: number },
  viewerId: string | null,
): Promise<MergeRequestRow | undefined> {
  return db.one(statements.findMergeRequest, [repositoryId, number, viewerId]);
}

/** What is compared, by full ids. */
export interface Compared {
  head: string;
  target: string;
  base: string;
}

export interface NewMergeRequest {
  id: string;
  repositoryId: string;
  /** Where the source branch is. */
  from: RepositoryRef;
  source: string;
  target: string;
  draft: boolean;
  /** Those who may write in the repository may push to the source branch. */
  edits: boolean;
}

/** False where one with these branches is open. */
export async function insertMergeRequest(
  tx: Transaction,
  { id, repositoryId, from: there, source, target, draft, edits }: NewMergeRequest,
  compared: Compared,
): Promise<boolean> {
  const { head, target: targetSha, base } = compared;
  const foreign =
    there.id === repositoryId ? [null, null] : [`${there.owner}/${there.name}`, there.visibility];
  const values = [
    id,
    repositoryId,
    source,
    target,
    draft,
    head,
    targetSha,
    base,
    there.id,
    ...foreign,
    edits,
  ];
  return (await tx.one(statements.insertMergeRequest, values)) !== undefined;
}

/** The number of the open one with these branches. */
export async function findOpen(
  db: Queryable,
  repositoryId: string,
  { source, target, sourceId }: { source: string; target: string; sourceId: string | null },
): Promise<number | undefined> {
  return (await db.one(statements.findOpen, [repositoryId, source, target, sourceId]))?.number;
}

/** The row of its work item is locked, so nobody else changes it meanwhile. */
export async function readBranches(tx: Transaction, id: string): Promise<BranchesRow> {
  const row = await tx.one(statements.readBranches, [id]);
  if (!row) throw new Error("a merge request has lost its branches");
  return row;
}

/** Open from now on, with these branches. False where another one with them was opened just now; the transaction is then over. */
export async function compareAgain(
  tx: Transaction,
  { id, target }: { id: string; target: string },
  compared: Compared,
): Promise<boolean> {
  const { head, target: targetSha, base } = compared;
  try {
    await tx.query(statements.compareAgain, [id, target, head, targetSha, base]);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error;
    return false;
  }
}

const uniqueViolation = "23505";

export interface BegunMerge {
  id: string;
  /** What brings it there: what the target branch moves to. */
  sha: string;
  strategy: MergeStrategy;
  userId: string;
  /** Why it does without what rules require. */
  bypassReason: string | undefined;
  /** That, in words. */
  missing?: readonly string[];
  /** What the target branch moves to, where others land with it. */
  tip?: string;
}

/** False where another merge is under way, or it is not open. */
export async function beginMerging(tx: Transaction, merge: BegunMerge, compared: Compared): Promise<boolean> {
  const { id, sha, strategy, userId, bypassReason = null, missing = [], tip = null } = merge;
  const { head, target, base } = compared;
  const values = [
    id,
    sha,
    head,
    strategy,
    userId,
    target,
    base,
    bypassReason,
    tip,
    bypassReason === null ? null : missing,
  ];
  return (await tx.one(statements.beginMerging, values)) !== undefined;
}

/** The target branch has not moved to `sha`. */
export async function endMerging(db: Queryable, id: string, sha: string): Promise<void> {
  await db.query(statements.endMerging, [id, sha]);
}

export interface MergeBypass {
  reason: string;
  /** In words. */
  missing: readonly string[];
}

/** By a merge of ours where one to this commit was under way, otherwise with Git. What it did without, and why, if it did without what rules require. */
export async function setMerged(
  tx: Transaction,
  { id, sha, userId }: { id: string; sha: string; userId: string | null },
): Promise<MergeBypass | null> {
  const { bypass_reason: reason, bypass_missing: missing } =
    (await tx.one(statements.setMerged, [id, userId, sha])) ?? {};
  // A merge that an earlier release has begun knows only why.
  return reason ? { reason, missing: missing ?? [] } : null;
}
