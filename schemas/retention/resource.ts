/** How long runs and what belongs to them are kept. */
import { z } from "zod";
import { timestamp } from "../core/time.ts";

/** What has a time of its own. */
export const retainedKinds = ["runs", "logs", "artifacts", "caches", "reports"] as const;
export type RetainedKind = (typeof retainedKinds)[number];
export const maxRetentionDays = 3_650;

const days = z.int().min(1).max(maxRetentionDays).nullable();
const told = {
  runs_days: "Runs, with all that belongs to them, after their end.",
  logs_days: "Logs of jobs, after the end of their run.",
  artifacts_days: "Artifacts, whatever the pipeline file says.",
  caches_days: "Caches, after they were last used.",
  reports_days: "Summaries, annotations, and reports of tests and coverage.",
} as const;

/** Days of each kind. */
export const RetentionDays = z
  .object({
    runs_days: days.describe(told.runs_days),
    logs_days: days.describe(told.logs_days),
    artifacts_days: days.describe(told.artifacts_days),
    caches_days: days.describe(told.caches_days),
    reports_days: days.describe(told.reports_days),
  })
  .meta({ id: "RetentionDays" });
export type RetentionDays = z.infer<typeof RetentionDays>;

export const Retention = z
  .object({
    ...RetentionDays.shape,
    effective: RetentionDays.describe(
      "What holds: the shortest of what the instance, the organization and the repository say. null: they are kept until somebody deletes them.",
    ),
    updated_at: timestamp.nullable().describe("null as long as nothing was set."),
  })
  .meta({ id: "Retention" });
export type Retention = z.infer<typeof Retention>;

const choice = (text: string) => days.default(null).describe(`${text} null: no rule of its own.`);

export const RetentionSet = z
  .strictObject({
    runs_days: choice(told.runs_days),
    logs_days: choice(told.logs_days),
    artifacts_days: choice(told.artifacts_days),
    caches_days: choice(told.caches_days),
    reports_days: choice(told.reports_days),
  })
  .meta({ id: "RetentionSet", examples: [{ runs_days: 90, logs_days: 30, artifacts_days: 14 }] });
export type RetentionSet = z.infer<typeof RetentionSet>;
