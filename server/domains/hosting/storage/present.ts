/** What is stored as the REST interface shows it. */
import type { OwnerStorageUse, RepositoryStorageUse } from "@forgeline/schemas/storage/resource.ts";
import type { OwnerUseRow, RepositoryUseRow } from "./use.store.ts";

export function presentOwnerUse({ owner_kind: kind, ...row }: OwnerUseRow): OwnerStorageUse {
  return {
    ...row,
    owner_type: kind === "org" ? "organization" : "user",
    total_bytes: row.git_bytes + row.log_bytes + row.lfs_bytes + row.attachment_bytes,
  };
}

export function presentRepositoryUse(row: RepositoryUseRow): RepositoryStorageUse {
  return { ...row, measured_at: row.measured_at?.toISOString() ?? null };
}
