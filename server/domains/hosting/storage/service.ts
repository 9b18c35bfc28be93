/** Use of storage: of the instance, of an owner, and of a repository. */
import type { z } from "zod";
import type { OwnedStorage, RepositoryStorage, StorageUse } from "@forgeline/schemas/storage/resource.ts";
import type { RepositoryStorageQuery } from "@forgeline/schemas/storage/routes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { OwnerQuotas } from "../lfs/owner-quotas.ts";
import {
  listOwnedRepositories,
  listOwners,
  listRepositories,
  readDatabaseUse,
  readRepository,
  sumRepositories,
  sumTeamAttachments,
  type OwnerUseRow,
  type RepositorySums,
  type RepositoryUses,
} from "./use.store.ts";

export interface StorageDeps {
  db: Database;
  lfs: { ownerQuotas: Pick<OwnerQuotas, "of"> };
  config: { maxRepositoryBytes: number };
}

export interface StorageService {
  ofInstance(): Promise<StorageUse>;
  /** Throws `not_found` when the owner is gone. */
  ofOwner(ownerId: string): Promise<OwnedStorage>;
  /** Fields that were not measured yet are empty. */
  ofRepository(repository: Named): Promise<z.input<typeof RepositoryStorage>>;
  /** Bytes of Git objects that it may still get, by the last measurement; not below 0. */
  roomOf(repositoryId: string): Promise<number>;
  /** Of all owners, those with most first. */
  listOwners(page: PageQuery): Promise<{ rows: OwnerUseRow[]; total: number }>;
  /** Of all repositories, or those of the owner that is requested; the largest first. */
  listRepositories(query: RepositoryStorageQuery): Promise<RepositoryUses>;
  /** Of the repositories of one owner, the largest first. */
  listOwned(ownerId: string, page: PageQuery): Promise<RepositoryUses>;
}

interface Named {
  id: string;
  owner: string;
  name: string;
}

export function createStorageService({ db, lfs, config }: StorageDeps): StorageService {
  /** People have no teams. */
  const sumsOf = async (ownerId: string, hasTeams: boolean) =>
    summed(await sumRepositories(db, ownerId), hasTeams ? await sumTeamAttachments(db, ownerId) : 0);
  return {
    async ofInstance() {
      const sums = summed(await sumRepositories(db), await sumTeamAttachments(db));
      const database = await readDatabaseUse(db);
      return { ...sums, total_bytes: sums.total_bytes + database.bytes, database };
    },
    async ofOwner(ownerId) {
      const { owner, owner_type, plan, ...quota } = await lfs.ownerQuotas.of(ownerId);
      const sums = await sumsOf(ownerId, owner_type === "organization");
      return { owner, owner_type, plan, lfs: quota, ...sums };
    },
    async ofRepository({ id, owner, name }) {
      const row = await readRepository(db, id);
      return {
        repository_id: id,
        full_name: `${owner}/${name}`,
        git_bytes: row?.git_bytes ?? 0,
        git_limit_bytes: config.maxRepositoryBytes,
        log_bytes: row?.log_bytes ?? 0,
        lfs_bytes: row?.lfs_bytes ?? 0,
        attachment_bytes: row?.attachment_bytes ?? 0,
        total_bytes: row?.total_bytes ?? 0,
        measured_at: row?.measured_at?.toISOString() ?? null,
      };
    },
    async roomOf(repositoryId) {
      const used = (await readRepository(db, repositoryId))?.git_bytes ?? 0;
      return Math.max(0, config.maxRepositoryBytes - used);
    },
    listOwners: (page) => listOwners(db, page),
    listRepositories: (query) => listRepositories(db, query),
    listOwned: (ownerId, page) => listOwnedRepositories(db, ownerId, page),
  };
}

function summed(sums: readonly RepositorySums[], teamAttachments: number) {
  const of = (deleted: boolean) => {
    const found = sums.find((one) => one.deleted === deleted);
    return {
      count: found?.count ?? 0,
      git_bytes: found?.git_bytes ?? 0,
      log_bytes: found?.log_bytes ?? 0,
      lfs_bytes: found?.lfs_bytes ?? 0,
      attachment_bytes: found?.attachment_bytes ?? 0,
    };
  };
  const oldest = sums
    .flatMap((one) => one.measured_since?.getTime() ?? [])
    .sort((a, b) => a - b)
    .map((ms) => new Date(ms).toISOString());
  return {
    total_bytes: sums.reduce((sum, one) => sum + bytesOf(one), teamAttachments),
    team_attachment_bytes: teamAttachments,
    repositories: of(false),
    deleted_repositories: of(true),
    unmeasured: sums.reduce((sum, one) => sum + one.unmeasured, 0),
    measured_since: oldest[0] ?? null,
  };
}

function bytesOf(one: RepositorySums): number {
  return one.git_bytes + one.log_bytes + one.lfs_bytes + one.attachment_bytes;
}
