/** Schedules of pipelines (`decisions.md`, "Records"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { PipelineTrigger } from "../pipelines/resource.ts";
import { Status } from "../pipelines/status.ts";

/** Made by hand, of one repository. */
export const maxManualSchedules = 100;

export const ScheduleRun = z
  .object({
    cause: z
      .enum(["schedule", "missed", "manual"])
      .describe("`missed`: for times that passed while Forgeline was down; `manual`: somebody ran it."),
    status: z
      .enum(["started", "skipped", "failed"])
      .describe("`skipped`: missed, and `if_missed` is `skip`; `failed`: see `error`."),
    due_at: timestamp.describe("The time that came, or when somebody ran it."),
    missed: z
      .number()
      .int()
      .describe("How many times before this one passed without a run; counts to 1,000."),
    error: z.string().nullable().describe("Why nothing started, as a sentence."),
    user: z.string().nullable().describe("Who ran it."),
    pipeline: z
      .object({ id: idOf("pipe"), number: z.number().int(), status: Status, web_url: z.string() })
      .nullable()
      .describe("The run; null if there is none."),
    created_at: timestamp,
  })
  .meta({ id: "ScheduleRun" });
export type ScheduleRun = z.infer<typeof ScheduleRun>;

const IfMissed = z
  .enum(["skip", "run_once"])
  .describe("What becomes of times that pass while Forgeline is down.");
const variables = z.record(z.string(), z.string());

export const Schedule = z
  .object({
    id: idOf("sched"),
    name: z.string(),
    source: z.enum(["file", "manual"]).describe("`file`: a pipeline file of the default branch lists it."),
    cron: z.string(),
    timezone: z.string().describe("IANA name."),
    ref: z.string().nullable().describe("Branch or tag that it runs; null for the default branch."),
    pipeline: z.string().nullable().describe("File, or its name; null for the only one."),
    inputs: PipelineTrigger.shape.inputs.unwrap(),
    variables,
    if_missed: IfMissed,
    enabled: z.boolean(),
    disabled_reason: z
      .enum(["owner", "mirror", "fork"])
      .nullable()
      .describe(
        "Why it is off although nobody turned it off: `owner`, its owner may not run pipelines here any more; `mirror`, it came with a sync of the mirror; `fork`, it came from the upstream.",
      ),
    owner: z
      .string()
      .nullable()
      .describe("With whose rights it starts runs; null if the user is gone, or nobody has turned it on."),
    failures: z.number().int().describe("Starts that failed in a row."),
    next_runs: z
      .array(timestamp)
      .describe("The next five; none while it is off, or the repository is archived."),
    last_runs: z.array(ScheduleRun).describe("The last five, newest first."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Schedule" });
export type Schedule = z.infer<typeof Schedule>;

const settings = {
  name: z.string().trim().min(1).max(200),
  cron: z.string().min(1).max(200).describe("Five fields; every 5 minutes at most."),
  timezone: z.string().max(64).describe("IANA name."),
  ref: z.string().min(1).max(255).nullable().describe("Branch or tag; null: the default branch."),
  pipeline: z
    .string()
    .min(1)
    .max(256)
    .nullable()
    .describe("File, or its name without `.yml`; needed when there are several."),
  inputs: PipelineTrigger.shape.inputs.unwrap(),
  variables: PipelineTrigger.shape.variables.unwrap(),
  if_missed: IfMissed,
  enabled: z.boolean(),
};

export const ScheduleCreate = z
  .strictObject({
    ...settings,
    timezone: settings.timezone.default("UTC"),
    ref: settings.ref.default(null),
    pipeline: settings.pipeline.default(null),
    inputs: settings.inputs.default({}),
    variables: settings.variables.default({}),
    if_missed: settings.if_missed.default("skip"),
    enabled: settings.enabled.default(true),
  })
  .meta({
    id: "ScheduleCreate",
    examples: [
      { name: "nightly", cron: "0 3 * * *", timezone: "Europe/Berlin", variables: { DEPTH: "full" } },
    ],
  });
export type ScheduleCreate = z.infer<typeof ScheduleCreate>;

export const ScheduleUpdate = z
  .strictObject(settings)
  .partial()
  .meta({ id: "ScheduleUpdate", examples: [{ enabled: false }] });
export type ScheduleUpdate = z.infer<typeof ScheduleUpdate>;
