/** Repositories in PostgreSQL. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { RepositoriesRows } from "./repositories.rows.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { excludesRepository } from "../../../platform/access/requirement.ts";
import { levelSql, ownLevelSql } from "../../policy/domain.ts";

export type RepositoryRow = RepositoriesRows["findById"];

export const columns = `r.id, r.owner_id, o.name as owner, o.kind as owner_kind, r.name, r.description, r.visibility, r.default_branch, r.archived, r.mirror, r.importing,
  r.public_pipelines, r.mirror_sync_pipelines, r.fork_sync_pipelines, r.merge_request_pipelines, r.job_permissions_max, r.size_kb, r.topics, r.primary_language, r.forked, r.upstream_id, r.deleted_at, r.created_at, r.updated_at`;

export interface Viewer {
  userId: string | null;
  isAdmin: boolean;
}

/** The holder of a credential. */
export type LimitedViewer = Viewer & Pick<Actor, "repositoryIds">;

const everyone: Viewer = { userId: null, isAdmin: false };

const ownLevel = ownLevelSql({ repository: "r", user: "$3::text", admin: "$4::boolean" });
const level = levelSql({ repository: "r", user: "$2::text", admin: "$3::boolean" });
/**
 * Reads another row if there is none, with the columns that were not read before: the response time must not distinguish absent
 * from hidden repositories.
 */
const levelOfOther = `select r.*, ${level} as level from repositories r
  where r.deleted_at is null and r.id > $1 order by r.id limit 1`;
const movedLevel = levelSql({ repository: "r", user: "$3::text", admin: "$4::boolean" });
const nameLevel = levelSql({ repository: "r", user: "$2::text", admin: "$3::boolean" });

export const statements = defineStatements<RepositoriesRows>({
  findByName: `
    select ${columns}, ${ownLevel} as level from repositories r join owners o on o.id = r.owner_id
    where lower(o.name) = lower($1) and lower(r.name) = lower($2) and r.deleted_at is null`,
  levelById: `select ${level} as level from repositories r where r.id = $1`,
  levelOfOther,
  findMoved: `
    select ${columns}, ${movedLevel} as level from repository_redirects d join owners old on old.id = d.owner_id
    join repositories r on r.id = d.repository_id join owners o on o.id = r.owner_id
    where lower(old.name) = lower($1) and lower(d.name) = lower($2)`,
  findVisibleNames: `
    select r.id, n.full_name from repositories r join repository_names n on n.repository_id = r.id
    where r.id = any ($1::text[]) and ${nameLevel} is not null
      and ($4::text[] is null or r.id = any ($4) or r.visibility = 'public')`,
  findById: `select ${columns} from repositories r join owners o on o.id = r.owner_id where r.id = $1`,
  findByIds: `select ${columns} from repositories r join owners o on o.id = r.owner_id where r.id = any($1)`,
  insertRepository: `
    insert into repositories (id, owner_id, name, description, visibility, default_branch, forked, upstream_id)
    values ($1, $2, $3, $4, $5, $6, $7::text is not null, $7) on conflict do nothing returning id`,
  takeName: "delete from repository_redirects where owner_id = $1 and lower(name) = lower($2)",
});

/** Names are compared without case. Undefined also for actors who cannot see it. */
export async function findVisible(
  db: Queryable,
  address: { owner: string; name: string },
  viewer: LimitedViewer,
): Promise<(RepositoryRow & { level: RepositoryLevel }) | undefined> {
  const row = await db.one(statements.findByName, [
    address.owner,
    address.name,
    viewer.userId,
    viewer.isAdmin,
  ]);
  const outside = row !== undefined && excludesRepository(viewer, row.id);
  if (row?.level && !outside) return { ...row, level: row.level };
  const asker = outside ? everyone : viewer;
  // Preparing the whole statement costs as much as everything else.
  const params = [row?.id ?? "", asker.userId, asker.isAdmin];
  const statement = row ? statements.levelById : statements.levelOfOther;
  const asked = await db.one(statement, params);
  return row && asked?.level ? { ...row, level: asked.level } : undefined;
}

/** The repository that had this name before. */
export async function findMoved(
  db: Queryable,
  address: { owner: string; name: string },
  viewer: Viewer,
): Promise<(RepositoryRow & { level: RepositoryLevel }) | undefined> {
  const row = await db.one(statements.findMoved, [
    address.owner,
    address.name,
    viewer.userId,
    viewer.isAdmin,
  ]);
  return row?.level ? { ...row, level: row.level } : undefined;
}

/** Full names, by id, of those of `ids` that the viewer sees; a limited token sees only public ones outside its limit. */
export async function findVisibleNames(
  db: Queryable,
  ids: readonly string[],
  { userId, isAdmin, repositoryIds }: LimitedViewer,
): Promise<{ id: string; full_name: string }[]> {
  return db.query(statements.findVisibleNames, [ids, userId, isAdmin, repositoryIds]);
}

export async function findById(db: Queryable, id: string): Promise<RepositoryRow | undefined> {
  return db.one(statements.findById, [id]);
}

export function findByIds(db: Queryable, ids: readonly string[]): Promise<RepositoryRow[]> {
  return db.query(statements.findByIds, [ids]);
}

export interface NewRepository {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  visibility: "private" | "internal" | "public";
  defaultBranch: string;
  /** The repository that a fork was copied from. */
  upstreamId?: string;
}

/** False when the owner has a repository of that name. */
export async function insertRepository(db: Queryable, repository: NewRepository): Promise<boolean> {
  const row = await db.one(statements.insertRepository, [
    repository.id,
    repository.ownerId,
    repository.name,
    repository.description,
    repository.visibility,
    repository.defaultBranch,
    repository.upstreamId ?? null,
  ]);
  if (!row) return false;
  await takeName(db, repository.ownerId, repository.name);
  return true;
}

/** Removes redirects from a name that is now in use. To be called once it is in use. */
export async function takeName(db: Queryable, ownerId: string, name: string): Promise<void> {
  await db.query(statements.takeName, [ownerId, name]);
}
