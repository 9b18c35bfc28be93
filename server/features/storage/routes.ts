/** Binds what administrators see of storage. */
import {
  getStorageUse,
  listOwnerStorageUse,
  listRepositoryStorageUse,
} from "@forgeline/schemas/storage/routes.ts";
import type { StorageUse } from "@forgeline/schemas/storage/resource.ts";
import type { Database } from "../../db/database.ts";
import type { RouteBinder } from "../../http/route-binder.ts";
import { listOwners, listRepositories, readDatabaseUse, sumRepositories } from "./use-store.ts";

export function registerStorageRoutes(app: RouteBinder, { db }: { db: Database }): void {
  app.bind(getStorageUse, async () => ({ body: await useOf(db) }));
  app.bind(listOwnerStorageUse, async ({ query }) => {
    const { rows, total } = await listOwners(db, query);
    const body = rows.map(({ owner_kind: kind, ...row }) => ({
      ...row,
      owner_type: kind === "org" ? ("organization" as const) : ("user" as const),
      total_bytes: row.git_bytes + row.log_bytes + row.lfs_bytes,
    }));
    return { body, total };
  });
  app.bind(listRepositoryStorageUse, async ({ query }) => {
    const { rows, total } = await listRepositories(db, query);
    const body = rows.map((row) => ({ ...row, measured_at: row.measured_at?.toISOString() ?? null }));
    return { body, total };
  });
}

async function useOf(db: Database): Promise<StorageUse> {
  const sums = await sumRepositories(db);
  const database = await readDatabaseUse(db);
  const of = (deleted: boolean) => {
    const found = sums.find((one) => one.deleted === deleted);
    return {
      count: found?.count ?? 0,
      git_bytes: found?.git_bytes ?? 0,
      log_bytes: found?.log_bytes ?? 0,
      lfs_bytes: found?.lfs_bytes ?? 0,
    };
  };
  const oldest = sums
    .flatMap((one) => one.measured_since?.getTime() ?? [])
    .sort((a, b) => a - b)
    .map((ms) => new Date(ms).toISOString());
  return {
    total_bytes: sums.reduce(
      (sum, one) => sum + one.git_bytes + one.log_bytes + one.lfs_bytes,
      database.bytes,
    ),
    repositories: of(false),
    deleted_repositories: of(true),
    database,
    unmeasured: sums.reduce((sum, one) => sum + one.unmeasured, 0),
    measured_since: oldest[0] ?? null,
  };
}
