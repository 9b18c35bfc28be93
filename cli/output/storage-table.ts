/** What repositories take, for people. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { sizeOf } from "./size.ts";
import { renderList } from "./table.ts";

/** For example `2: Git 1.5 MiB, Git LFS 0 B, logs 3.0 KiB, attachments 0 B`. */
export function sizesByKind(one: Schemas["StorageUse"]["repositories"]): string {
  const kinds = [
    ["Git", one.git_bytes],
    ["Git LFS", one.lfs_bytes],
    ["logs", one.log_bytes],
    ["attachments", one.attachment_bytes],
  ] as const;
  return `${one.count}: ${kinds.map(([kind, bytes]) => `${kind} ${sizeOf(bytes)}`).join(", ")}`;
}

export function storageTable(found: readonly Schemas["RepositoryStorageUse"][]): string {
  const rows = found.map((one) => [
    one.full_name,
    one.deleted ? "deleted" : "",
    sizeOf(one.git_bytes),
    sizeOf(one.lfs_bytes),
    sizeOf(one.log_bytes),
    sizeOf(one.attachment_bytes),
    sizeOf(one.total_bytes),
    one.measured_at ?? "not yet",
  ]);
  return renderList(
    "repositories",
    ["REPOSITORY", "STATE", "GIT", "LFS", "LOGS", "ATTACHMENTS", "TOTAL", "MEASURED"],
    rows,
  );
}
