/** Rows of `collaborators`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { CollaboratorsRows } from "./collaborators.rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export type CollaboratorRow = CollaboratorsRows["listCollaborators"];

interface Place {
  repositoryId: string;
  userId: string;
}

const columns = "c.user_id, c.permission, c.created_at, c.updated_at";
const ofRepository = "from collaborators c join users u on u.id = c.user_id where c.repository_id = $1";

export const statements = defineStatements<CollaboratorsRows>({
  listCollaborators: `select ${columns} ${ofRepository} order by lower(u.username) limit $2 offset $3`,
  holdRepository: "select owner_id from repositories where id = $1 and deleted_at is null for no key update",
  findPermission: "select permission from collaborators where repository_id = $1 and user_id = $2",
  putCollaborator: `
    insert into collaborators as c (repository_id, user_id, permission) values ($1, $2, $3)
    on conflict (repository_id, user_id) do update set permission = excluded.permission,
      updated_at = case when c.permission = excluded.permission then c.updated_at else now() end
    returning ${columns}`,
  grantCreator: "insert into collaborators (repository_id, user_id, permission) values ($1, $2, 'admin')",
  deleteCollaborator:
    "delete from collaborators where repository_id = $1 and user_id = $2 returning permission",
  dropFromOrganization: `
    delete from collaborators where user_id = $2
    and repository_id in (select id from repositories where owner_id = $1) returning repository_id`,
  dropUsers: "delete from collaborators where user_id = any($1)",
});

/** By name. */
export async function listCollaborators(
  db: Queryable,
  repositoryId: string,
  page: PageQuery,
): Promise<{ rows: CollaboratorRow[]; total: number }> {
  const total = await countRows(db, ofRepository, [repositoryId]);
  const rows = await db.query(statements.listCollaborators, [repositoryId, page.per_page, offsetOf(page)]);
  return { rows, total };
}

/** Held until the transaction ends, so that two changes of one collaborator follow each other. */
export async function holdRepository(tx: Queryable, id: string): Promise<{ owner_id: string } | undefined> {
  return tx.one(statements.holdRepository, [id]);
}

export async function findPermission(
  tx: Queryable,
  { repositoryId, userId }: Place,
): Promise<RepositoryLevel | undefined> {
  const row = await tx.one(statements.findPermission, [repositoryId, userId]);
  return row?.permission;
}

export async function putCollaborator(
  tx: Queryable,
  { repositoryId, userId, permission }: Place & { permission: RepositoryLevel },
): Promise<CollaboratorRow> {
  const row = await tx.one(statements.putCollaborator, [repositoryId, userId, permission]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

export async function grantCreator(tx: Queryable, repositoryId: string, userId: string): Promise<void> {
  await tx.query(statements.grantCreator, [repositoryId, userId]);
}

/** The level that the user had; undefined if the user was no collaborator. */
export async function deleteCollaborator(
  tx: Queryable,
  { repositoryId, userId }: Place,
): Promise<RepositoryLevel | undefined> {
  const row = await tx.one(statements.deleteCollaborator, [repositoryId, userId]);
  return row?.permission;
}

/** Removes a collaborator from all of the organization's repositories. Returns the number of repositories. */
export async function dropFromOrganization(
  tx: Queryable,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<number> {
  const dropped = await tx.query(statements.dropFromOrganization, [organizationId, userId]);
  return dropped.length;
}

/** Removes these users from all repositories. */
export async function dropUsers(tx: Queryable, userIds: readonly string[]): Promise<void> {
  await tx.query(statements.dropUsers, [userIds]);
}
