/** What the runs that have ended add up to. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";

const seconds = z.number().describe("Seconds.");
const share = z.number().nullable();

/** Half of all took at most `p50`, nine of ten at most `p90`. */
export const Percentiles = z.object({ p50: seconds, p90: seconds }).meta({ id: "Percentiles" });
export type Percentiles = z.infer<typeof Percentiles>;

export const StatisticsPeriod = z.object({
  since: z.iso.date().describe("The first day, in UTC."),
  until: z.iso.date().describe("The last day: today, in UTC."),
  days: z.int(),
});

const runs = {
  runs: z.int().describe("Runs that ended, each once, on the day of its last end and with its last status."),
  succeeded: z.int(),
  failed: z.int(),
  errors: z.int(),
  cancelled: z.int(),
  skipped: z.int(),
  success_rate: share.describe(
    "Share of runs that succeeded, from 0 to 1, of those that succeeded, failed or ended in an error; null without any.",
  ),
  runner_minutes: z
    .number()
    .describe("Time on runners of all attempts of all jobs of these runs, retries and reruns too."),
  attempts: z.int().describe("Attempts of jobs of these runs, retries and reruns too."),
};

const duration = Percentiles.nullable().describe(
  "From first start to end of runs that succeeded or failed, as they ran first: reruns do not lengthen it. Null without any.",
);

export const DayOfRuns = z.object({ day: z.iso.date(), ...runs, duration }).meta({ id: "DayOfRuns" });
export const FileOfRuns = z
  .object({ pipeline: z.string().describe("The file."), ...runs })
  .meta({ id: "FileOfRuns" });

/** Of a repository, an organization or the instance. */
export const PipelineStatistics = z
  .object({
    ...StatisticsPeriod.shape,
    ...runs,
    duration,
    queue_time: Percentiles.nullable().describe(
      "How long the job of a run waited for a runner that waited longest, of the same runs.",
    ),
    by_day: z.array(DayOfRuns).describe("Every day of the period, the first one first."),
    by_pipeline: z
      .array(FileOfRuns)
      .describe("By pipeline file, those with most runs first; at most 20. Empty outside a repository."),
  })
  .meta({ id: "PipelineStatistics" });
export type PipelineStatistics = z.infer<typeof PipelineStatistics>;
export type RunSums = z.infer<z.ZodObject<typeof runs>>;

export const RepositoryRuns = z
  .object({ repository_id: idOf("repo"), full_name: z.string(), ...runs })
  .meta({ id: "RepositoryRuns" });
export type RepositoryRuns = z.infer<typeof RepositoryRuns>;

const timed = {
  pipeline: z.string().describe("The file."),
  job: z.string().describe("Its id in the file; combinations of a matrix count together."),
  count: z.int().describe("Attempts that started and ended."),
  failed: z.int().describe("Those of them that failed or ended in an error."),
  duration: Percentiles,
};
export const JobTimes = z
  .object({
    ...timed,
    queue_time: Percentiles,
    runner_minutes: z.number(),
  })
  .meta({ id: "JobTimes" });
export type JobTimes = z.infer<typeof JobTimes>;
export const StepTimes = z
  .object({ ...timed, step: z.string().describe("Its name.") })
  .meta({ id: "StepTimes" });
export type StepTimes = z.infer<typeof StepTimes>;

export const JobStatistics = z
  .object({
    ...StatisticsPeriod.shape,
    sampled_runs: z
      .int()
      .describe(
        "The newest runs of the period, with at most 1,000 attempts and 500 runs in all: only these are looked at.",
      ),
    jobs: z.array(JobTimes).describe("The slowest by their median, at most 20."),
    steps: z.array(StepTimes).describe("The slowest by their median, at most 20."),
  })
  .meta({ id: "JobStatistics" });
export type JobStatistics = z.infer<typeof JobStatistics>;
