/** Mirrors that follow an external repository, as the REST interface shows and takes them (`decisions.md`, "Records"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { agreeOnTimes, login, refPatterns, shownSettings, times } from "./settings.ts";

export const MirrorStatus = z
  .enum(["waiting", "syncing", "up_to_date", "failing", "paused"])
  .describe(
    "`waiting`: the first sync has not started; `syncing`: one is running; `failing`: the last one failed; `paused`: switched off.",
  );
export type MirrorStatus = z.infer<typeof MirrorStatus>;

export const SyncStatus = z
  .enum(["running", "succeeded", "failed", "cancelled"])
  .describe("`cancelled`: an administrator stopped it, or it was ended from outside.");
export type SyncStatus = z.infer<typeof SyncStatus>;

export const SyncCause = z
  .enum(["first", "schedule", "manual", "push"])
  .describe(
    "`first`: after the mirror was set up; `manual`: somebody asked for it; `push`: somebody pushed here, for a push mirror.",
  );
export type SyncCause = z.infer<typeof SyncCause>;

export const SyncProgress = z
  .enum(["connecting", "receiving", "checking", "lfs", "moving", "sending"])
  .describe("What a sync is doing.");
export type SyncProgress = z.infer<typeof SyncProgress>;

export const RefChange = z
  .object({
    ref: z.string().describe("Full name."),
    change: z
      .enum(["created", "updated", "forced", "deleted"])
      .describe("`forced`: commits that the ref had before are not in it any more."),
    before: z.string().nullable().describe("Null for a ref that was created."),
    after: z.string().nullable().describe("Null for a ref that was deleted."),
  })
  .meta({ id: "MirrorRefChange" });
export type RefChange = z.infer<typeof RefChange>;

const sync = {
  id: idOf("sync"),
  status: SyncStatus,
  cause: SyncCause,
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  duration_ms: z.number().int().nullable().describe("Null until it has ended."),
  changed_refs: z.number().int(),
  bytes: z.number().int().describe("Received or sent so far, without Git LFS objects."),
  lfs_objects: z.number().int().describe("Git LFS objects received or sent so far."),
  progress: SyncProgress.nullable().describe("What it is doing; null once it has ended."),
  error: z.string().nullable().describe("Why it failed, as a sentence."),
};

export const MirrorSyncSummary = z.object(sync).meta({ id: "MirrorSyncSummary" });
export type MirrorSyncSummary = z.infer<typeof MirrorSyncSummary>;

export const MirrorSync = z
  .object({
    ...sync,
    refs: z.array(RefChange).describe("What changed: the first 100, by name."),
    notes: z
      .array(z.string())
      .describe("What it left out, as sentences: refs that are not allowed here, missing Git LFS objects."),
    created_at: timestamp,
  })
  .meta({ id: "MirrorSync" });
export type MirrorSync = z.infer<typeof MirrorSync>;

export const Mirror = z
  .object({
    id: idOf("mirr"),
    url: z.string().describe("What it follows, without credentials."),
    status: MirrorStatus,
    enabled: z.boolean(),
    disabled_reason: z
      .enum(["transferred"])
      .nullable()
      .describe("Why Forgeline paused it: `transferred`, the repository has another owner."),
    ...shownSettings,
    public_key: z
      .string()
      .nullable()
      .describe("Of the key that was generated for `ssh`: add it to the source as a deploy key."),
    failures: z
      .number()
      .int()
      .describe("Syncs that failed in a row. Each one doubles the wait for the next."),
    failing_since: timestamp.nullable(),
    last_sync: MirrorSyncSummary.nullable(),
    last_success_at: timestamp.nullable(),
    api_url: z.string().describe("Address of this record in the API, which other records call `url`."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Mirror" });
export type Mirror = z.infer<typeof Mirror>;

const source = {
  url: z
    .string()
    .min(1)
    .max(2048)
    .describe(
      "`https://HOST/PATH`, `ssh://USER@HOST/PATH`, `USER@HOST:PATH` or `git://HOST/PATH`. A user name and password in an `https` address become the credentials.",
    ),
  refs: refPatterns.describe(
    "Which refs to follow: names such as `refs/heads/main`, with at most one `*`; a name that begins with `^` is left out. `main` means `refs/heads/main`.",
  ),
  prune: z.boolean().default(true).describe("Delete refs here that were deleted there."),
  ...login,
};

export const MirrorSet = z
  .strictObject({
    ...source,
    ...times,
    lfs: z.boolean().default(true).describe("Take Git LFS objects as well; over `https` only."),
    enabled: z.boolean().default(true),
    replace: z
      .boolean()
      .default(false)
      .describe(
        "Required for a repository that has refs already: they become those of the source. Commits that no ref has then are kept as long as it is a mirror.",
      ),
  })
  .superRefine(agreeOnTimes)
  .meta({
    id: "MirrorSet",
    examples: [{ url: "https://git.example.com/ada/hello.git", interval_minutes: 30 }],
  });
export type MirrorSet = z.infer<typeof MirrorSet>;

export const MirrorPreviewRequest = z
  .strictObject(source)
  .meta({ id: "MirrorPreviewRequest", examples: [{ url: "https://git.example.com/ada/hello.git" }] });
export type MirrorPreviewRequest = z.infer<typeof MirrorPreviewRequest>;

export const MirrorPreview = z
  .object({
    refs: z
      .array(RefChange)
      .describe(
        "What a sync would change: the first 1,000, by name. `updated` includes what would be forced.",
      ),
    total: z.number().int(),
    created: z.number().int(),
    updated: z.number().int(),
    deleted: z.number().int(),
    default_branch: z.string().nullable().describe("Of the source; null if it names none."),
    notes: z.array(z.string()).describe("Refs that would be left out, and why."),
  })
  .meta({ id: "MirrorPreview" });
export type MirrorPreview = z.infer<typeof MirrorPreview>;
