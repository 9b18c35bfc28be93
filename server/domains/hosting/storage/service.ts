/** What is kept, put together: of the instance, of an owner, and of a repository. */
import type { z } from "zod";
import type { OwnedStorage, RepositoryStorage, StorageUse } from "@forgeline/schemas/storage/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { OwnerQuotas } from "../lfs/owner-quotas.ts";
import { readDatabaseUse, readRepository, sumRepositories, type RepositorySums } from "./use.store.ts";

export interface StorageDeps {
  db: Database;
  lfs: { ownerQuotas: Pick<OwnerQuotas, "of"> };
  config: { maxRepositoryBytes: number };
}

export async function storageOfInstance(db: Database): Promise<StorageUse> {
  const sums = summed(await sumRepositories(db));
  const database = await readDatabaseUse(db);
  return { ...sums, total_bytes: sums.total_bytes + database.bytes, database };
}

/** Throws `not_found` when the owner is gone. */
export async function storageOfOwner({ db, lfs }: StorageDeps, ownerId: string): Promise<OwnedStorage> {
  const { owner, owner_type, plan, ...quota } = await lfs.ownerQuotas.of(ownerId);
  return { owner, owner_type, plan, lfs: quota, ...summed(await sumRepositories(db, ownerId)) };
}

/** Throws nothing: what is not measured yet is empty. */
export async function storageOfRepository(
  { db, config }: StorageDeps,
  repository: { id: string; owner: string; name: string },
): Promise<z.input<typeof RepositoryStorage>> {
  const row = await readRepository(db, repository.id);
  return {
    repository_id: repository.id,
    full_name: `${repository.owner}/${repository.name}`,
    git_bytes: row?.git_bytes ?? 0,
    git_limit_bytes: config.maxRepositoryBytes,
    log_bytes: row?.log_bytes ?? 0,
    lfs_bytes: row?.lfs_bytes ?? 0,
    total_bytes: row?.total_bytes ?? 0,
    measured_at: row?.measured_at?.toISOString() ?? null,
  };
}

function summed(sums: readonly RepositorySums[]) {
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
    total_bytes: sums.reduce((sum, one) => sum + one.git_bytes + one.log_bytes + one.lfs_bytes, 0),
    repositories: of(false),
    deleted_repositories: of(true),
    unmeasured: sums.reduce((sum, one) => sum + one.unmeasured, 0),
    measured_since: oldest[0] ?? null,
  };
}
