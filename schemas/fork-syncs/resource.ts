/** Syncs of forks with their upstream (`decisions.md`, "Records"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { agreeOnTimes, times } from "../mirrors/settings.ts";

export const ForkSyncStatus = z
  .enum(["waiting", "running", "up_to_date", "fast_forwarded", "merged", "conflict", "failed", "cancelled"])
  .describe(
    "`waiting`: it has not begun; `up_to_date`: nothing was to be done; `merged`: at least one branch got a merge commit; `conflict`: a branch cannot be merged, and none was changed; `failed`: see `error`.",
  );
export type ForkSyncStatus = z.infer<typeof ForkSyncStatus>;

export const ForkBranch = z
  .object({
    name: z.string(),
    before: z
      .string()
      .nullable()
      .describe("Commit of the fork before the sync; null for a branch that it did not have."),
    after: z.string().nullable().describe("Afterwards; null in a dry run for a branch that would be merged."),
    behind: z.number().int().describe("Commits of the upstream that the fork did not have."),
    ahead: z.number().int().describe("Commits of the fork that the upstream does not have."),
  })
  .meta({ id: "ForkBranch" });
export type ForkBranch = z.infer<typeof ForkBranch>;

export const ForkConflict = z
  .object({
    branch: z.string(),
    paths: z.array(z.string()).describe("Files that both sides have changed: the first 100."),
  })
  .meta({ id: "ForkConflict" });
export type ForkConflict = z.infer<typeof ForkConflict>;

export const ForkSync = z
  .object({
    id: idOf("fsyn").nullable().describe("Null for a dry run."),
    status: ForkSyncStatus,
    cause: z.enum(["manual", "schedule"]),
    branch: z.string().nullable().describe("Null: every branch that both have."),
    branches: z.array(ForkBranch).describe("By name."),
    conflicts: z.array(ForkConflict),
    error: z.string().nullable().describe("Why it failed, as a sentence."),
    user: z.string().nullable().describe("For whom it was done; null if the user is gone."),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: "ForkSync" });
export type ForkSync = z.infer<typeof ForkSync>;

export const ForkSyncRequest = z
  .strictObject({
    branch: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe(
        "One branch, which is created if only the upstream has it. Default: every branch that both have.",
      ),
    dry_run: z.boolean().default(false).describe("Say what would be done, and change nothing."),
  })
  .meta({ id: "ForkSyncRequest", examples: [{ branch: "main" }] });
export type ForkSyncRequest = z.infer<typeof ForkSyncRequest>;

export const ForkSchedule = z
  .object({
    branch: z.string().nullable().describe("Null: every branch that both have."),
    interval_minutes: z.number().int().nullable(),
    cron: z.string().nullable(),
    timezone: z.string().nullable().describe("Of `cron`."),
    enabled: z.boolean(),
    disabled_reason: z
      .enum(["transferred", "owner", "upstream"])
      .nullable()
      .describe(
        "Why Forgeline paused it: `transferred`, the fork has another owner; `owner`, its owner may not write to the fork any more; `upstream`, its owner may not read the upstream any more.",
      ),
    owner: z.string().nullable().describe("Who set it up, and for whom it reads and writes."),
    next_sync_at: timestamp
      .nullable()
      .describe("Null while it is paused, or the fork is archived, or Temporal does not answer."),
    failures: z
      .number()
      .int()
      .describe("Scheduled syncs that failed in a row. Each one doubles the wait for the next."),
    failing_since: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "ForkSchedule" });
export type ForkSchedule = z.infer<typeof ForkSchedule>;

export const ForkStanding = z
  .object({
    upstream: z
      .object({ full_name: z.string(), url: z.string() })
      .nullable()
      .describe("Null if the repository is no fork, or the caller cannot see its upstream."),
    branch: z.string().describe("The one that is compared."),
    behind: z
      .number()
      .int()
      .nullable()
      .describe("Null if there is no upstream, or one of both has no such branch."),
    ahead: z.number().int().nullable(),
    last_sync: ForkSync.nullable(),
    schedule: ForkSchedule.nullable(),
  })
  .meta({ id: "ForkStanding" });
export type ForkStanding = z.infer<typeof ForkStanding>;

export const ForkScheduleSet = z
  .strictObject({
    ...times,
    branch: z
      .string()
      .min(1)
      .max(255)
      .nullable()
      .default(null)
      .describe("Default: every branch that both have."),
    enabled: z.boolean().default(true),
  })
  .superRefine(agreeOnTimes)
  .meta({
    id: "ForkScheduleSet",
    examples: [{ branch: "main", cron: "15 3 * * *", timezone: "Europe/Berlin" }],
  });
export type ForkScheduleSet = z.infer<typeof ForkScheduleSet>;
