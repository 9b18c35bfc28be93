/** Rows of `collaborators`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export interface CollaboratorRow {
  user_id: string;
  permission: RepositoryLevel;
  created_at: Date;
  updated_at: Date;
}

interface Place {
  repositoryId: string;
  userId: string;
}

const columns = "c.user_id, c.permission, c.created_at, c.updated_at";

/** By name. */
export async function listCollaborators(
  db: Queryable,
  repositoryId: string,
  page: PageQuery,
): Promise<{ rows: CollaboratorRow[]; total: number }> {
  const from = "from collaborators c join users u on u.id = c.user_id where c.repository_id = $1";
  const total = await countRows(db, from, [repositoryId]);
  const rows = await db.query<CollaboratorRow>(
    `select ${columns} ${from} order by lower(u.username) limit $2 offset $3`,
    [repositoryId, page.per_page, offsetOf(page)],
  );
  return { rows, total };
}

/** Held until the transaction ends, so that two changes of one collaborator follow each other. */
export async function holdRepository(tx: Queryable, id: string): Promise<{ owner_id: string } | undefined> {
  return tx.one<{ owner_id: string }>(
    "select owner_id from repositories where id = $1 and deleted_at is null for no key update",
    [id],
  );
}

export async function findPermission(
  tx: Queryable,
  { repositoryId, userId }: Place,
): Promise<RepositoryLevel | undefined> {
  const row = await tx.one<{ permission: RepositoryLevel }>(
    "select permission from collaborators where repository_id = $1 and user_id = $2",
    [repositoryId, userId],
  );
  return row?.permission;
}

export async function putCollaborator(
  tx: Queryable,
  { repositoryId, userId, permission }: Place & { permission: RepositoryLevel },
): Promise<CollaboratorRow> {
  const [row] = await tx.query<CollaboratorRow>(
    `insert into collaborators as c (repository_id, user_id, permission) values ($1, $2, $3)
     on conflict (repository_id, user_id) do update set permission = excluded.permission,
       updated_at = case when c.permission = excluded.permission then c.updated_at else now() end
     returning ${columns}`,
    [repositoryId, userId, permission],
  );
  return row!;
}

export async function grantCreator(tx: Queryable, repositoryId: string, userId: string): Promise<void> {
  await tx.query(`insert into collaborators (repository_id, user_id, permission) values ($1, $2, 'admin')`, [
    repositoryId,
    userId,
  ]);
}

/** What was held; undefined when the user was none. */
export async function deleteCollaborator(
  tx: Queryable,
  { repositoryId, userId }: Place,
): Promise<RepositoryLevel | undefined> {
  const row = await tx.one<{ permission: RepositoryLevel }>(
    "delete from collaborators where repository_id = $1 and user_id = $2 returning permission",
    [repositoryId, userId],
  );
  return row?.permission;
}

/** No collaborator of the organization's repositories any more. Tells of how many. */
export async function dropFromOrganization(
  tx: Queryable,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<number> {
  const dropped = await tx.query(
    `delete from collaborators where user_id = $2
       and repository_id in (select id from repositories where owner_id = $1) returning repository_id`,
    [organizationId, userId],
  );
  return dropped.length;
}

/** No collaborators of anything any more. */
export async function dropUsers(tx: Queryable, userIds: readonly string[]): Promise<void> {
  await tx.query("delete from collaborators where user_id = any($1)", [userIds]);
}
