/** Environments and deployments (`decisions.md`, "Records"). */
import { z } from "zod";
import { storableText } from "../core/storable-text.ts";
import { ApprovalLevel } from "../approvals/level.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { Percentiles, StatisticsPeriod } from "../run-statistics/resource.ts";
import { Status } from "../pipelines/status.ts";
import { environmentNamePattern } from "./names.ts";

export const EnvironmentName = z
  .string()
  .regex(
    environmentNamePattern,
    "Up to 100 letters, digits, dots, hyphens and underscores, beginning with a letter or digit.",
  );

/** 30 days. */
export const maxWaitMinutes = 43_200;

const globs = z.array(storableText({ min: 1, max: 255 })).max(50);
const person = "[A-Za-z0-9_][A-Za-z0-9._-]{0,99}";
const approver = z
  .string()
  .regex(new RegExp(`^${person}(/${person})*$`), "The name of a user, or of a team as ORG/TEAM.");

const branches = "Globs for branches whose runs may deploy; empty, with no `tags` either: any.";
const tags = "Globs for tags whose runs may deploy. With `branches` alone, runs of tags may not.";
const approvers = "Users, and teams as ORG/TEAM, who may approve.";
const level =
  "Everyone with at least this permission on the repository may approve too; null: Write without approvers, otherwise only the approvers.";
const allowSelf = "Whether who started the run, and the author of the commit, may approve too.";
const refuseOlder =
  "Whether a run is refused where a newer run has deployed another commit already. Running its job again, or going back to an earlier deployment, stays possible.";
const waitMinutes = "How long each job waits from the moment it reaches the environment.";

export const EnvironmentProtection = z
  .object({
    branches: z.array(z.string()).describe(branches),
    tags: z.array(z.string()).describe(tags),
    approvers: z.array(z.string()).describe(approvers),
    level: ApprovalLevel.nullable().describe(level),
    count: z.number().int().describe("How many of them have to approve each job; 0: nobody."),
    allow_self: z.boolean().describe(allowSelf),
    wait_minutes: z.number().int().describe(waitMinutes),
    refuse_older: z.boolean().describe(refuseOlder),
  })
  .meta({ id: "EnvironmentProtection" });
export type EnvironmentProtection = z.infer<typeof EnvironmentProtection>;

const GivenProtection = z
  .strictObject({
    branches: globs.default([]).describe(branches),
    tags: globs.default([]).describe(tags),
    approvers: z.array(approver).max(50).default([]).describe(approvers),
    level: ApprovalLevel.nullable().default(null).describe(level),
    count: z
      .int()
      .min(0)
      .max(10)
      .optional()
      .describe(
        "How many of them have to approve each job. Default: 1 with `approvers` or `level`, otherwise 0.",
      ),
    allow_self: z.boolean().default(true).describe(allowSelf),
    wait_minutes: z.int().min(0).max(maxWaitMinutes).default(0).describe(waitMinutes),
    refuse_older: z.boolean().default(false).describe(refuseOlder),
  })
  .refine(
    ({ approvers: names, level: least, count }) => count !== 0 || (names.length === 0 && least === null),
    {
      path: ["count"],
      message: "With approvers or a level, at least one has to approve.",
    },
  )
  .refine(
    ({ approvers: names, level: least, count = 1 }) =>
      names.length === 0 || least !== null || hasEnough(names, count),
    { path: ["count"], message: "Fewer users are named than have to approve." },
  );
export type GivenProtection = z.infer<typeof GivenProtection>;

/** A team may have any number of members. */
function hasEnough(names: readonly string[], count: number): boolean {
  return names.some((name) => name.includes("/")) || new Set(names.map((n) => n.toLowerCase())).size >= count;
}

const allowShell =
  "Whether shells may be opened in jobs that use secrets or identity tokens and deploy to it.";

export const EnvironmentPut = z
  .strictObject({
    protection: GivenProtection.prefault({}),
    allow_shell: z.boolean().default(false).describe(allowShell),
  })
  .meta({
    id: "EnvironmentPut",
    examples: [{ protection: { branches: ["main"], approvers: ["ada"], count: 1, wait_minutes: 10 } }],
  });
export type EnvironmentPut = z.infer<typeof EnvironmentPut>;

const startedBy =
  "User name of who started the run, or ran the job again; null if no user did, or the user was deleted.";
const approvedBy = "User names of those whose approval it had, at gates of the file and of the environment.";

const openJob = {
  pipeline: z.object({ id: idOf("pipe"), number: z.number().int(), web_url: z.string() }),
  job: z.object({ id: idOf("job"), key: z.string(), name: z.string() }),
  sha: z.string(),
  ref: z.string(),
  actor: z.string().nullable().describe("User name of who started the run; null if no user did."),
};

export const Environment = z
  .object({
    id: idOf("env"),
    name: z.string(),
    protection: EnvironmentProtection,
    allow_shell: z.boolean().describe(allowShell),
    confirmed_at: timestamp
      .nullable()
      .describe(
        "When somebody with Maintain made or confirmed it; null: a job made it, so it gets no secrets that are limited to environments.",
      ),
    current: z
      .object({
        deployment: idOf("depl"),
        pipeline: z.object({ id: idOf("pipe"), number: z.number().int() }),
        sha: z.string(),
        ref: z.string(),
        environment_url: z.string().nullable().describe("Where to look at it."),
        at: timestamp.describe("When its job ended."),
        actor: z.string().nullable().describe(startedBy),
        approved_by: z.array(z.string()).describe(approvedBy),
        before: z
          .object({
            number: z.number().int().describe("Of its run."),
            sha: z.string(),
            compare_url: z
              .string()
              .nullable()
              .describe("The page with what changed since; null: it was the same commit."),
          })
          .nullable()
          .describe("What was deployed before it; null: nothing."),
      })
      .nullable()
      .describe("The last deployment that succeeded; null before the first."),
    waiting: z
      .array(
        z.object({
          ...openJob,
          reason: z
            .string()
            .describe("`approval:…`, `environment_wait:…` (its time), or `concurrency:…` (a slot)."),
          message: z.string().nullable().describe("The same as a sentence."),
        }),
      )
      .describe("Jobs that wait to deploy to it now, those of the newest runs first; at most 20."),
    deploying: z
      .array(z.object({ ...openJob, status: z.enum(["queued", "running", "cancelling"]) }))
      .describe("Jobs that deploy to it now, or wait for a runner to do so; in the same order, at most 20."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Environment" });
export type Environment = z.infer<typeof Environment>;

export const Deployment = z
  .object({
    id: idOf("depl"),
    environment: z.string(),
    status: Status.describe("That of the attempt which deploys."),
    is_current: z.boolean().describe("The last one that succeeded."),
    pipeline: z.object({ id: idOf("pipe"), number: z.number().int(), web_url: z.string() }),
    job: z.object({ id: idOf("job"), key: z.string(), name: z.string() }),
    attempt: z.number().int(),
    sha: z.string(),
    ref: z.string(),
    actor: z.string().nullable().describe(startedBy),
    approved_by: z.array(z.string()).describe(approvedBy),
    environment_url: z.string().nullable().describe("Where to look at it, if the pipeline file says so."),
    rollback_to: idOf("depl").nullable().describe("The earlier deployment that this one repeats."),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
  })
  .meta({ id: "Deployment" });
export type Deployment = z.infer<typeof Deployment>;

const counted = {
  deployments: z
    .int()
    .describe("Those that have ended, each on the day on which it was queued. Each attempt of a job is one."),
  succeeded: z.int(),
  failed: z.int().describe("Failed, or ended in an error."),
  cancelled: z.int(),
  rolled_back: z
    .int()
    .describe("Those of `succeeded` that the next one replaced by going back to another commit."),
};
const rate = z.number().nullable();

export const DeploymentStatistics = z
  .object({
    ...StatisticsPeriod.shape,
    environment: z.string(),
    ...counted,
    per_day: z.number().describe("Deployments that succeeded, by day of the period."),
    per_week: z.number().describe("The same by week."),
    success_rate: rate.describe(
      "Share of deployments that succeeded, from 0 to 1, of those that succeeded or failed; null without any.",
    ),
    failure_rate: rate.describe(
      "Share of those that failed or were rolled back, of the same; null without any.",
    ),
    lead_time: Percentiles.nullable().describe(
      "From the commit to the end of the first deployment of it that succeeded here. Null without any.",
    ),
    restore_time: z
      .number()
      .nullable()
      .describe(
        "Seconds, the median: from the end of a deployment that failed or was rolled back to the end of the next good one. Failures in a row count once, from the first. Null without any.",
      ),
    by_day: z
      .array(z.object({ day: z.iso.date(), ...counted }).meta({ id: "DayOfDeployments" }))
      .describe("Every day of the period, the first one first."),
  })
  .meta({ id: "DeploymentStatistics" });
export type DeploymentStatistics = z.infer<typeof DeploymentStatistics>;
