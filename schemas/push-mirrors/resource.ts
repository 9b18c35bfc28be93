/** Push mirrors: other servers that get what is pushed to a repository (`decisions.md`, "Records"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { MirrorSyncSummary } from "../mirrors/resource.ts";
import { agreeOnTimes, login, refPatterns, shownSettings, times } from "../mirrors/settings.ts";

/** Of one repository. */
export const maxPushMirrors = 10;

export const PushMirrorStatus = z
  .enum(["waiting", "syncing", "up_to_date", "diverged", "failing", "paused"])
  .describe(
    "`waiting`: the first sync has not started; `syncing`: one is running; `diverged`: the last one left refs as they are, because somebody else has changed them at the target; `failing`: the last one failed otherwise; `paused`: switched off.",
  );
export type PushMirrorStatus = z.infer<typeof PushMirrorStatus>;

export const DivergedRef = z
  .object({
    ref: z.string().describe("Full name."),
    here: z.string().nullable().describe("Null for a ref that was deleted here."),
    there: z.string().describe("What it is at the target."),
  })
  .meta({ id: "DivergedRef" });
export type DivergedRef = z.infer<typeof DivergedRef>;

export const PushMirror = z
  .object({
    id: idOf("pmir"),
    url: z.string().describe("Where it pushes to, without credentials."),
    status: PushMirrorStatus,
    enabled: z.boolean(),
    disabled_reason: z
      .enum(["transferred", "restored"])
      .nullable()
      .describe(
        "Why Forgeline paused it: `transferred`, the repository has another owner; `restored`, the instance was restored from a backup, and `force` could overwrite what is newer.",
      ),
    ...shownSettings,
    force: z.boolean(),
    on_push: z.boolean(),
    public_key: z
      .string()
      .nullable()
      .describe(
        "Of the key that was generated for `ssh`: add it to the target as a deploy key that may write.",
      ),
    diverged: z
      .array(DivergedRef)
      .describe("Refs that the last sync left as they are at the target: the first 100, by name."),
    diverged_count: z.number().int(),
    failures: z
      .number()
      .int()
      .describe(
        "Syncs that failed in a row. Where the target does not answer, each one doubles the wait for the next, which begins with 5 minutes.",
      ),
    failing_since: timestamp.nullable(),
    last_sync: MirrorSyncSummary.nullable(),
    last_success_at: timestamp.nullable(),
    api_url: z.string().describe("Address of this record in the API, which other records call `url`."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "PushMirror" });
export type PushMirror = z.infer<typeof PushMirror>;

const settings = {
  url: z
    .string()
    .min(1)
    .max(2048)
    .describe(
      "`https://HOST/PATH`, `ssh://USER@HOST/PATH` or `USER@HOST:PATH`. A user name and password in an `https` address become the credentials.",
    ),
  refs: refPatterns.describe(
    "Which refs to push: names such as `refs/heads/main`, with at most one `*`; a name that begins with `^` is left out. `main` means `refs/heads/main`.",
  ),
  prune: z
    .boolean()
    .default(true)
    .describe("Delete refs at the target that this mirror has pushed and that were deleted here."),
  lfs: z.boolean().default(true).describe("Send Git LFS objects as well; over `https` only."),
  force: z
    .boolean()
    .default(false)
    .describe(
      "Overwrite refs that somebody else has changed at the target, and delete those that are not here. Without it they are left as they are, and the mirror is `diverged`.",
    ),
  on_push: z.boolean().default(true).describe("Sync after each push, and not only at its times."),
  enabled: z.boolean().default(true),
  ...login,
  ...times,
};

export const PushMirrorCreate = z
  .strictObject(settings)
  .superRefine(agreeOnTimes)
  .meta({
    id: "PushMirrorCreate",
    examples: [
      {
        url: "https://git.example.com/ada/hello.git",
        credentials: { username: "ada", password: "token" },
        refs: ["main", "refs/tags/*"],
      },
    ],
  });
export type PushMirrorCreate = z.infer<typeof PushMirrorCreate>;

/** Without defaults: what is absent stays. */
const changes = {
  url: settings.url.optional(),
  refs: refPatterns.unwrap().optional(),
  prune: z.boolean().optional(),
  lfs: z.boolean().optional(),
  force: z.boolean().optional(),
  on_push: z.boolean().optional(),
  enabled: z.boolean().optional(),
  ...login,
  ...times,
};

export const PushMirrorUpdate = z
  .strictObject(changes)
  .superRefine(agreeOnTimes)
  .meta({ id: "PushMirrorUpdate", examples: [{ enabled: false }] });
export type PushMirrorUpdate = z.infer<typeof PushMirrorUpdate>;
