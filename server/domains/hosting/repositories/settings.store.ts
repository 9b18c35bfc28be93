/** Changes of a repository's row. */
import { AppError } from "../../../platform/app-error.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SettingsRows } from "./settings.rows.ts";
import { columns, takeName, type RepositoryRow } from "./repositories.store.ts";

export const statements = defineStatements<SettingsRows>({
  lockRepository: `
    select ${columns} from repositories r join owners o on o.id = r.owner_id
    where r.id = $1 and r.deleted_at is null for no key update of r`,
  saveSettings: `
    update repositories set name = $2, description = $3, default_branch = $4, visibility = $5,
    public_pipelines = $6, topics = $7, archived = $8, mirror_sync_pipelines = $9, fork_sync_pipelines = $10,
      job_permissions_max = $11, merge_request_pipelines = $12, updated_at = now() where id = $1`,
  setOwner: `
    update repositories set owner_id = $2, updated_at = now(),
      visibility = case when visibility = 'internal' and $3 = 'user' then 'private' else visibility end
    where id = $1`,
  isTaken:
    "select id from repositories where owner_id = $1 and lower(name) = lower($2) and deleted_at is null",
  setMirror: "update repositories set mirror = $2, importing = $3, updated_at = now() where id = $1",
  leaveName: `
    insert into repository_redirects (owner_id, name, repository_id) values ($1, $2, $3)
    on conflict (owner_id, lower(name)) do update set repository_id = excluded.repository_id, created_at = now()`,
});

/** Held until the transaction ends. Undefined when it is gone or deleted. */
export async function lockRepository(tx: Queryable, id: string): Promise<RepositoryRow | undefined> {
  return tx.one(statements.lockRepository, [id]);
}

export type Settings = Pick<
  RepositoryRow,
  | "name"
  | "description"
  | "default_branch"
  | "visibility"
  | "public_pipelines"
  | "mirror_sync_pipelines"
  | "fork_sync_pipelines"
  | "merge_request_pipelines"
  | "job_permissions_max"
  | "topics"
  | "archived"
>;

/** False when the owner has another repository of that name. The old name leads here from now on. */
export async function saveSettings(
  tx: Queryable,
  before: Pick<RepositoryRow, "id" | "owner_id" | "name">,
  settings: Settings,
): Promise<boolean> {
  const isRenamed = before.name.toLowerCase() !== settings.name.toLowerCase();
  if (isRenamed && (await isTaken(tx, before.owner_id, settings.name))) return false;
  await tx.query(statements.saveSettings, [
    before.id,
    settings.name,
    settings.description,
    settings.default_branch,
    settings.visibility,
    settings.public_pipelines,
    settings.topics,
    settings.archived,
    settings.mirror_sync_pipelines,
    settings.fork_sync_pipelines,
    settings.job_permissions_max,
    settings.merge_request_pipelines,
  ]);
  if (isRenamed) {
    await takeName(tx, before.owner_id, settings.name);
    await leaveName(tx, before);
  }
  return true;
}

/** Visibility that only organizations can use becomes private for a user. */
export async function setOwner(
  tx: Queryable,
  id: string,
  owner: { id: string; kind: "user" | "org" },
): Promise<void> {
  await tx.query(statements.setOwner, [id, owner.id, owner.kind]);
}

/** Whether it follows an external repository, and takes no pushes; `importing`: until an import has ended. */
export async function setMirror(
  tx: Queryable,
  id: string,
  { mirror, importing }: { mirror: boolean; importing: boolean },
): Promise<void> {
  await tx.query(statements.setMirror, [id, mirror, importing]);
}

export async function isTaken(tx: Queryable, ownerId: string, name: string): Promise<boolean> {
  const row = await tx.one(statements.isTaken, [ownerId, name]);
  return row !== undefined;
}

/** Requests for the name are redirected to the repository that had it. */
export async function leaveName(
  tx: Queryable,
  before: Pick<RepositoryRow, "id" | "owner_id" | "name">,
): Promise<void> {
  await tx.query(statements.leaveName, [before.owner_id, before.name, before.id]);
}

/** Throws `conflict` if another request took the name after we checked it. */
export async function conflictIfTaken<T>(owner: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== "repositories_live_name") throw error;
    throw new AppError("conflict", {
      message: `${owner} already has a repository with this name.`,
      cause: error,
    });
  }
}
