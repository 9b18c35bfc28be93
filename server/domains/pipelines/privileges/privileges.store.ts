/** Rows of `privileged_repositories`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { PrivilegesRows } from "./privileges.rows.ts";

export type PrivilegedRow = RowOf<typeof statements.listPrivileged>;

const columns = `n.owner, n.name, n.full_name, u.username as allowed_by, p.allowed_at`;
const from = `from privileged_repositories p join repository_names n on n.repository_id = p.repository_id
  left join users u on u.id = p.allowed_by where n.deleted_at is null`;

interface Known {
  /** Never null: the view's joins say so. */
  listPrivileged: { owner: string; name: string; full_name: string };
  findPrivileged: { owner: string; name: string; full_name: string };
  /** The same. */
  findRepository: { id: string; name: string };
}

export const statements = defineStatements<PrivilegesRows, Known>({
  listPrivileged: `select ${columns} ${from} order by lower(n.full_name) limit $1 offset $2`,
  findPrivileged: `select ${columns} ${from} and p.repository_id = $1`,
  findRepository: `
    select n.repository_id as id, n.full_name as name from repository_names n
    where lower(n.owner) = lower($1) and lower(n.name) = lower($2) and n.deleted_at is null`,
  insertPrivileged: `
    insert into privileged_repositories (repository_id, allowed_by) values ($1, $2)
    on conflict (repository_id) do nothing returning repository_id`,
  deletePrivileged: "delete from privileged_repositories where repository_id = $1 returning repository_id",
  jobRights: `
    select p.repository_id is not null as "isPrivileged", r.job_permissions_max as "permissionsMax" from repositories r
    left join privileged_repositories p on p.repository_id = r.id where r.id = $1`,
  runFacts: `
    select r.trust, p.repository_id is not null as "isAllowed" from pipelines r
    left join privileged_repositories p on p.repository_id = r.repository_id where r.id = $1`,
});

/** By name. */
export async function listPrivileged(
  db: Queryable,
  page: { page: number; per_page: number },
): Promise<{ rows: PrivilegedRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listPrivileged, [page.per_page, offsetOf(page)]),
    countRows(db, from, []),
  ]);
  return { rows, total };
}

export function findPrivileged(db: Queryable, repositoryId: string): Promise<PrivilegedRow | undefined> {
  return db.one(statements.findPrivileged, [repositoryId]);
}

export function findRepository(
  db: Queryable,
  { owner, repo }: { owner: string; repo: string },
): Promise<{ id: string; name: string } | undefined> {
  return db.one(statements.findRepository, [owner, repo]);
}

/** Whether that is new. */
export async function insertPrivileged(
  tx: Transaction,
  repositoryId: string,
  allowedBy: string | null,
): Promise<boolean> {
  return (await tx.one(statements.insertPrivileged, [repositoryId, allowedBy])) !== undefined;
}

/** Whether there was one. */
export async function deletePrivileged(tx: Transaction, repositoryId: string): Promise<boolean> {
  return (await tx.one(statements.deletePrivileged, [repositoryId])) !== undefined;
}

/** What its jobs may have; undefined where the repository is gone. */
export function findJobRights(
  db: Queryable,
  repositoryId: string,
): Promise<RowOf<typeof statements.jobRights> | undefined> {
  return db.one(statements.jobRights, [repositoryId]);
}

/** What decides whether jobs of a run may be privileged. */
export function findRunFacts(
  db: Queryable,
  pipelineId: string,
): Promise<PrivilegesRows["runFacts"] | undefined> {
  return db.one(statements.runFacts, [pipelineId]);
}
