/** Settings of the configuration about how long runs and what belongs to them are kept; those of caches and reports are with theirs. */
import { z } from "zod";
import { maxRetentionDays, type RetentionDays } from "@forgeline/schemas/retention/resource.ts";

const days = (text: string) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(maxRetentionDays)
    .optional()
    .describe(`${text} Organizations and repositories can set fewer. By default there is no limit.`);

export const retentionSettings = {
  FORGELINE_RUN_DAYS: days("Runs that ended so many days ago are removed, with their logs."),
  FORGELINE_LOG_DAYS: days("Logs of runs that ended so many days ago are removed."),
  FORGELINE_ARTIFACT_DAYS: days(
    "Maximum number of days for which artifacts are kept, whatever pipeline files say.",
  ),
};

type Settings = z.infer<z.ZodObject<typeof retentionSettings>>;

export function toRetention(
  env: Settings & { FORGELINE_CACHE_DAYS: number; FORGELINE_REPORT_DAYS: number },
): RetentionDays {
  return {
    runs_days: env.FORGELINE_RUN_DAYS ?? null,
    logs_days: env.FORGELINE_LOG_DAYS ?? null,
    artifacts_days: env.FORGELINE_ARTIFACT_DAYS ?? null,
    caches_days: env.FORGELINE_CACHE_DAYS,
    reports_days: env.FORGELINE_REPORT_DAYS,
  };
}
