/** Rows of `team_repositories`: the direct grants of teams. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { GrantRows } from "./grant.rows.ts";

export interface Grant {
  teamId: string;
  repositoryId: string;
}

export interface GrantRow {
  repository_id: string;
  permission: RepositoryLevel;
  /** The team that has the grant: the requested one, or one above it. */
  team_id: string;
  team_path: string;
  /** The viewer's level on the repository. */
  level: RepositoryLevel;
}

const level = levelSql({ repository: "r", user: "$2::text", admin: "$3::boolean" });
/** For each repository that the viewer sees, the greatest grant, and among equal ones the nearest. */
const seen = `from (
    select distinct on (g.repository_id) g.repository_id, g.permission, g.team_id, h.path as team_path
    from team_repositories g join teams h on h.id = g.team_id
    where g.team_id = any (select unnest(t.lineage) from teams t where t.id = $1)
    order by g.repository_id, g.permission desc, cardinality(h.lineage) desc
  ) x join repositories r on r.id = x.repository_id cross join lateral (select ${level} as held) l
  where l.held is not null`;

export const statements = defineStatements<GrantRows>({
  listGrants: `
    select x.repository_id, x.permission, x.team_id, x.team_path, l.held as level
    ${seen} order by lower(r.name), r.id limit $4 offset $5`,
  holdRepository: "select id from repositories where id = $1 and owner_id = $2 for share",
  findGrant: "select permission from team_repositories where team_id = $1 and repository_id = $2 for update",
  putGrant: `
    insert into team_repositories (repository_id, team_id, permission) values ($1, $2, $3)
    on conflict (repository_id, team_id) do update set permission = excluded.permission`,
  deleteGrant: "delete from team_repositories where team_id = $1 and repository_id = $2",
  endTeamGrants: "delete from team_repositories where repository_id = $1",
});

/** By name. `userId` null: only what everyone can see. */
export async function listGrants(
  db: Queryable,
  wanted: { teamId: string; viewer: { userId: string | null; isAdmin: boolean }; page: PageQuery },
): Promise<{ rows: GrantRow[]; total: number }> {
  const { teamId, viewer, page } = wanted;
  const params = [teamId, viewer.userId, viewer.isAdmin];
  const rows = await db.query(statements.listGrants, [...params, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, seen, params) };
}

/** Locks the repository until the commit, so that its owner cannot change. False if it belongs to another owner by now. */
export async function holdRepository(
  tx: Transaction,
  wanted: { repositoryId: string; organizationId: string },
): Promise<boolean> {
  const row = await tx.one(statements.holdRepository, [wanted.repositoryId, wanted.organizationId]);
  return row !== undefined;
}

export async function findGrant(
  tx: Transaction,
  { teamId, repositoryId }: Grant,
): Promise<RepositoryLevel | undefined> {
  const row = await tx.one(statements.findGrant, [teamId, repositoryId]);
  return row?.permission;
}

export async function putGrant(
  tx: Transaction,
  { teamId, repositoryId, permission }: Grant & { permission: RepositoryLevel },
): Promise<void> {
  await tx.query(statements.putGrant, [repositoryId, teamId, permission]);
}

export async function deleteGrant(tx: Transaction, { teamId, repositoryId }: Grant): Promise<void> {
  await tx.query(statements.deleteGrant, [teamId, repositoryId]);
}

/** Of all teams. */
export async function endTeamGrants(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.endTeamGrants, [repositoryId]);
}
