/** Merge requests whose source branch is in another repository: that source, and what came of it. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { ForeignRows } from "./foreign.rows.ts";

export type SourceProblem = "access" | "visibility" | "size";

export const statements = defineStatements<ForeignRows>({
  findSource: `
    select m.id, m.repository_id, m.source_repository_id, m.source_branch, m.source_visibility, m.source_problem,
      m.head_sha, w.author_id, r.visibility
    from merge_requests m join work_items w on w.id = m.id
      join repositories r on r.id = m.source_repository_id and r.deleted_at is null
    where m.id = $1 and m.source_repository_id <> m.repository_id`,
  foreignSourcesMoved: `
    update merge_requests set mergeability = 'checking', check_wanted = check_wanted + 1, check_due_at = now(), source_pusher_id = $3
    where source_repository_id = $1 and repository_id <> $1 and source_branch = any ($2::text[]) and is_open`,
  noteProblem:
    "update merge_requests set source_problem = $2 where id = $1 and source_problem is distinct from $2",
  agree: `
    update merge_requests m set source_problem = null, source_visibility = r.visibility
    from repositories r join repository_names n on n.repository_id = r.id
    where m.id = $1 and r.id = m.source_repository_id and m.source_repository_id <> m.repository_id and r.deleted_at is null
    returning r.id, n.owner, n.name, r.visibility`,
});

export type ForeignSource = RowOf<typeof statements.findSource>;

/** Undefined where the branch is in the same repository, or its repository is gone or deleted. */
export function findSource(db: Queryable, id: string): Promise<ForeignSource | undefined> {
  return db.one(statements.findSource, [id]);
}

/** Open ones that come from these branches of another repository are to be compared again, which brings what was pushed. */
export async function foreignSourcesMoved(
  tx: Transaction,
  {
    repositoryId,
    branches,
    pusherId,
  }: { repositoryId: string; branches: readonly string[]; pusherId: string | null },
): Promise<void> {
  await tx.query(statements.foreignSourcesMoved, [repositoryId, branches, pusherId]);
}

/** Null: what was pushed came. */
export async function noteProblem(db: Queryable, id: string, problem: SourceProblem | null): Promise<void> {
  await db.query(statements.noteProblem, [id, problem]);
}

/**
 * The author shows what is pushed there to whoever reads the target, as visible as the source is now, which is returned. Undefined where
 * the branch is in the same repository, or its repository is gone.
 */
export function agree(tx: Transaction, id: string): Promise<RowOf<typeof statements.agree> | undefined> {
  return tx.one(statements.agree, [id]);
}
