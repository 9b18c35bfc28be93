/** What the instance keeps, as its administrators see it, and what is an owner's, as the owner does. Sizes are bytes as they lie in storage, compressed. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { LfsQuota } from "../lfs/resource.ts";

const bytes = z.number().int();
const gitBytes = bytes.describe("Git objects, to the kibibyte.");
const logBytes = bytes.describe("Logs of runs in object storage.");
const lfsBytes = bytes.describe("Git LFS objects; an object in two repositories lies there twice.");
const attachmentBytes = bytes.describe(
  "Attachments of issues and merge requests; a copy counts in each repository.",
);
const kinds = {
  git_bytes: gitBytes,
  log_bytes: logBytes,
  lfs_bytes: lfsBytes,
  attachment_bytes: attachmentBytes,
};
const teamAttachmentBytes = bytes.describe("Attachments on the boards of teams.");
const counted = z.object({ count: z.number().int(), ...kinds });
const measuring = {
  unmeasured: z.number().int().describe("Repositories that were not measured yet; they count as empty."),
  measured_since: timestamp
    .nullable()
    .describe("The time of the oldest measurement that is in the sums; null without any."),
};

export const StorageUse = z
  .object({
    total_bytes: bytes.describe("Repositories, deleted ones, attachments of teams, and the database."),
    repositories: counted,
    deleted_repositories: counted.describe("Those that can still be restored."),
    team_attachment_bytes: teamAttachmentBytes,
    database: z.object({
      bytes: bytes.describe("Tables and indexes of this instance in PostgreSQL."),
      audit_bytes: bytes.describe("The audit log's part of it."),
    }),
    ...measuring,
  })
  .meta({ id: "StorageUse" });
export type StorageUse = z.infer<typeof StorageUse>;

/** Of one owner, for the owner. */
export const OwnedStorage = z
  .object({
    ...LfsQuota.pick({ owner: true, owner_type: true, plan: true }).shape,
    total_bytes: bytes.describe("Repositories, deleted ones, and attachments of teams."),
    repositories: counted,
    deleted_repositories: counted.describe("Those that can still be restored."),
    team_attachment_bytes: teamAttachmentBytes,
    lfs: LfsQuota.pick({ limit_bytes: true, custom: true, used_bytes: true }).describe(
      "What counts of the owner's Git LFS storage, and how much there may be.",
    ),
    ...measuring,
  })
  .meta({ id: "OwnedStorage" });
export type OwnedStorage = z.infer<typeof OwnedStorage>;

export const OwnerStorageUse = z
  .object({
    owner: z.string(),
    owner_type: z.enum(["user", "organization"]),
    repositories: z.number().int().describe("Including deleted ones that can be restored."),
    ...kinds,
    attachment_bytes: attachmentBytes.describe(
      "Attachments of issues and merge requests, and on the boards of teams.",
    ),
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

/** Of one repository, for its admins. */
export const RepositoryStorage = z
  .object({
    ...RepositoryStorageUse.omit({ deleted: true }).shape,
    git_limit_bytes: bytes.describe("A repository larger than this does not accept new content."),
  })
  .meta({ id: "RepositoryStorage" });
