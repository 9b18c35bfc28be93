/** Which merge requests a push concerns. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { PushedRows } from "./pushed.rows.ts";

export const statements = defineStatements<PushedRows>({
  findMerging: `
    select w.number, m.target_branch, m.merging_sha from merge_requests m join work_items w on w.id = m.id
    where m.repository_id = $1 and m.merging_sha = any ($2::text[]) order by w.number`,
  findOfSources: `
    select w.number, m.source_branch, m.head_sha, m.repository_id from merge_requests m join work_items w on w.id = m.id
    where m.source_repository_id = $1 and m.repository_id = $1 and m.source_branch = any ($2::text[]) and m.is_open order by w.number`,
  findOfTargets: `
    select w.number, m.target_branch from merge_requests m join work_items w on w.id = m.id
    where m.repository_id = $1 and m.target_branch = any ($2::text[]) and m.is_open order by w.number`,
  targetsMoved: `
    update merge_requests set mergeability = 'checking', check_wanted = check_wanted + 1, check_due_at = now(),
      target_pusher_id = $3
    where repository_id = $1 and target_branch = any ($2::text[]) and is_open`,
});

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
