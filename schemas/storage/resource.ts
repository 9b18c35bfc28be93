/** What the instance keeps, as its administrators see it. Sizes are bytes as they lie in storage, compressed. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

const bytes = z.number().int();
const gitBytes = bytes.describe("Git objects, to the kibibyte.");
const logBytes = bytes.describe("Logs of runs in object storage.");
const lfsBytes = bytes.describe("Git LFS objects; an object in two repositories lies there twice.");
const kinds = { git_bytes: gitBytes, log_bytes: logBytes, lfs_bytes: lfsBytes };

export const StorageUse = z
  .object({
    total_bytes: bytes.describe("Repositories, deleted ones, and the database."),
    repositories: z.object({ count: z.number().int(), ...kinds }),
    deleted_repositories: z
      .object({ count: z.number().int(), ...kinds })
      .describe("Those that can still be restored."),
    database: z.object({
      bytes: bytes.describe("Tables and indexes of this instance in PostgreSQL."),
      audit_bytes: bytes.describe("The audit log's part of it."),
    }),
    unmeasured: z.number().int().describe("Repositories that were not measured yet; they count as empty."),
    measured_since: timestamp
      .nullable()
      .describe("The time of the oldest measurement that is in the sums; null without any."),
  })
  .meta({ id: "StorageUse" });
export type StorageUse = z.infer<typeof StorageUse>;

export const OwnerStorageUse = z
  .object({
    owner: z.string(),
    owner_type: z.enum(["user", "organization"]),
    repositories: z.number().int().describe("Deleted ones that can be restored included."),
    ...kinds,
    total_bytes: bytes,
  })
  .meta({ id: "OwnerStorageUse" });
export type OwnerStorageUse = z.infer<typeof OwnerStorageUse>;

export const RepositoryStorageUse = z
  .object({
    repository_id: idOf("repo"),
    full_name: z.string(),
    deleted: z.boolean(),
    ...kinds,
    total_bytes: bytes,
    measured_at: timestamp.nullable().describe("null: not yet."),
  })
  .meta({ id: "RepositoryStorageUse" });
export type RepositoryStorageUse = z.infer<typeof RepositoryStorageUse>;
