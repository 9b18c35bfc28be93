/** Which merge requests a push concerns. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { PushedRows } from "./pushed.rows.ts";

export const statements = defineStatements<PushedRows>({
  findMerging: `
    select w.number, m.target_branch, m.merging_sha, m.merging_tip, m.merging_by from merge_requests m
    join work_items w on w.id = m.id
    where m.repository_id = $1 and (m.merging_sha = any ($2::text[]) and m.merging_tip is null or m.merging_tip = any ($2::text[]))
    order by w.number`,
  findOfSources: `
    select w.number, m.source_branch, m.head_sha, m.repository_id from merge_requests m join work_items w on w.id = m.id
    where m.source_repository_id = $1 and m.repository_id = $1 and m.source_branch = any ($2::text[]) and m.is_open order by w.number`,
  findOfTargets: `
    select w.number, m.target_branch from merge_requests m join work_items w on w.id = m.id
    where m.repository_id = $1 and m.target_branch = any ($2::text[]) and m.is_open order by w.number`,
  // As many as say something to people; a branch can have been merged again and again at the same commit.
  findEnded: `
    select w.number, m.repository_id, m.source_branch, m.head_sha from merge_requests m join work_items w on w.id = m.id
    where m.source_repository_id = $1 and m.source_branch = any ($2::text[]) and not m.is_open and m.head_sha = any ($3::text[])
    order by w.number desc limit 20`,
  // As closing, landing and merging lock them: the item before the merge request, and by number.
  lockItems: `
    select w.id from work_items w where w.id in (
      select m.id from merge_requests m where m.repository_id = $1
        and (m.merging_sha = any ($3::text[]) and m.merging_tip is null or m.merging_tip = any ($3::text[]))
      union all select m.id from merge_requests m
        where m.source_repository_id = $1 and m.repository_id = $1 and m.source_branch = any ($2::text[]) and m.is_open
      union all select m.id from merge_requests m
        where m.repository_id = $1 and m.target_branch = any ($4::text[]) and m.is_open
      union all (select m.id from merge_requests m join work_items e on e.id = m.id
        where m.source_repository_id = $1 and m.source_branch = any ($5::text[]) and not m.is_open and m.head_sha = any ($6::text[])
        order by e.number desc limit 20))
    order by w.repository_id, w.number for no key update`,
  lockOpen: `
    select m.id from merge_requests m
    where m.is_open and (m.repository_id = $1 and m.target_branch = any ($2::text[])
      or m.source_repository_id = $1 and m.source_branch = any ($2::text[]))
    order by m.id for no key update`,
  // Of what is stacked on a branch that was merged and deleted.
  findNextTarget: `
    select m.target_branch from merge_requests m
    where m.repository_id = $1 and m.source_repository_id = $1 and m.source_branch = $2 and m.merged_at is not null
    order by m.merged_at desc limit 1`,
  retarget: `
    update merge_requests m set target_branch = $2, mergeability = 'checking', conflicts = '{}',
      check_wanted = m.check_wanted + 1, check_due_at = now()
    where m.id = $1 and m.is_open and m.target_branch <> $2
      and (m.source_branch <> $2 or m.source_repository_id is distinct from m.repository_id)
      and not exists (select 1 from merge_requests o where o.repository_id = m.repository_id and o.is_open
        and o.source_repository_id is not distinct from m.source_repository_id and o.source_branch = m.source_branch
        and o.target_branch = $2)
    returning m.id`,
  // Without the default branch; the newest open merge request of each.
  findProposals: `
    select b.name as branch, s.full_name, r.upstream_id, o.repository_id as target_id, o.number
    from unnest($2::text[]) with ordinality as b(name, place)
    join repositories r on r.id = $1
    join repository_names s on s.repository_id = r.id
    left join lateral (
      select m.repository_id, w.number from merge_requests m join work_items w on w.id = m.id
      where m.source_repository_id = r.id and m.source_branch = b.name and m.is_open
      order by m.id desc limit 1) o on true
    where b.name <> r.default_branch
    order by b.place limit 3`,
  targetsMoved: `
    update merge_requests set mergeability = 'checking', check_wanted = check_wanted + 1, check_due_at = now(),
      target_pusher_id = $3
    where repository_id = $1 and target_branch = any ($2::text[]) and is_open`,
});

export interface Concerned {
  repositoryId: string;
  /** All that the push moves. */
  branches: readonly string[];
  /** Where they are now. */
  arrived: readonly string[];
  deleted: readonly string[];
  /** Branches that come or go, and the commits that they come with or had. */
  ended: { branches: readonly string[]; heads: readonly string[] };
}

/**
 * All that the push changes, in one order, before it changes any of it: of two pushes that concern the same merge requests, one waits for
 * the other from the start.
 */
export async function lockConcerned(
  tx: Transaction,
  { repositoryId, branches, arrived, deleted, ended }: Concerned,
): Promise<void> {
  const ofEnded = [ended.branches, ended.heads];
  await tx.query(statements.lockItems, [repositoryId, branches, arrived, deleted, ...ofEnded]);
  await tx.query(statements.lockOpen, [repositoryId, branches]);
}

/** Those of which a merge to one of these commits is under way. */
export function findMerging(
  db: Queryable,
  repositoryId: string,
  shas: readonly string[],
): Promise<RowOf<typeof statements.findMerging>[]> {
  return db.query(statements.findMerging, [repositoryId, shas]);
}

/** Open ones that come from one of these branches of the same repository. */
export function findOfSources(
  db: Queryable,
  repositoryId: string,
  branches: readonly string[],
): Promise<RowOf<typeof statements.findOfSources>[]> {
  return db.query(statements.findOfSources, [repositoryId, branches]);
}

/** Open ones that go to one of these branches. */
export function findOfTargets(
  db: Queryable,
  repositoryId: string,
  branches: readonly string[],
): Promise<RowOf<typeof statements.findOfTargets>[]> {
  return db.query(statements.findOfTargets, [repositoryId, branches]);
}

/** Those that have ended with one of these commits as the head of one of these branches: the newest, oldest first. */
export async function findEnded(
  db: Queryable,
  repositoryId: string,
  { branches, heads }: { branches: readonly string[]; heads: readonly string[] },
): Promise<RowOf<typeof statements.findEnded>[]> {
  return (await db.query(statements.findEnded, [repositoryId, branches, heads])).toReversed();
}

/** Those of these branches that can be proposed, in this order: the first three. */
export function findProposals(
  db: Queryable,
  repositoryId: string,
  branches: readonly string[],
): Promise<RowOf<typeof statements.findProposals>[]> {
  return db.query(statements.findProposals, [repositoryId, branches]);
}

/** Into which branch the one was merged that came from this branch; undefined where none was. */
export async function findNextTarget(
  tx: Transaction,
  repositoryId: string,
  branch: string,
): Promise<string | undefined> {
  return (await tx.one(statements.findNextTarget, [repositoryId, branch]))?.target_branch;
}

/** False where it cannot go there: it comes from there, or another one with these branches is open. */
export async function retarget(tx: Transaction, id: string, target: string): Promise<boolean> {
  return (await tx.one(statements.retarget, [id, target])) !== undefined;
}

/** Open ones that go there are to be compared again. */
export async function targetsMoved(
  tx: Transaction,
  {
    repositoryId,
    branches,
    pusherId,
  }: { repositoryId: string; branches: readonly string[]; pusherId: string | null },
): Promise<void> {
  await tx.query(statements.targetsMoved, [repositoryId, branches, pusherId]);
}
