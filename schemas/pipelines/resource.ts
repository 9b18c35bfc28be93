/** Runs as REST shows them: run → stages → jobs → attempts → steps, each with status, reason and sentence. */
import { z } from "zod";
import { ApprovalGate, ForkApproval } from "../approvals/resource.ts";
import { ConcurrencyWait } from "../concurrency/resource.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { Diagnostic } from "../pipeline-file/diagnostic.ts";
import { jobPermissions } from "../pipeline-file/file-permissions.ts";
import { RunSource } from "./source.ts";
import { VariableName } from "../variables/resource.ts";
import { Foreseen } from "./foreseen.ts";
import { ChildRun, ParentRun } from "./relatives.ts";
import { RunTemplate } from "./template.ts";
import { Status } from "./status.ts";

const told = {
  status: Status,
  reason: z.string().nullable().describe("Why it did not succeed; null on success."),
  message: z.string().nullable().describe("The reason as a sentence."),
};
const spans = {
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  duration: z
    .number()
    .int()
    .nullable()
    .describe("Whole seconds from first start to last end (or now, while running); null before it starts."),
};

export const RunStep = z
  .object({
    id: idOf("step"),
    position: z.number().int(),
    name: z.string(),
    parallel: z
      .number()
      .int()
      .nullable()
      .describe("Steps with the same number run at the same time. Null: the step runs alone."),
    ...told,
    exit_code: z.number().int().nullable(),
    ...spans,
  })
  .meta({ id: "RunStep" });
export const RunAttempt = z
  .object({
    id: idOf("att"),
    attempt: z.number().int(),
    ...told,
    exit_code: z.number().int().nullable(),
    runner: z.object({ id: z.string(), name: z.string() }).nullable(),
    unreachable: z.boolean().describe("The runner has been silent for some time."),
    ends_when_lost: z
      .boolean()
      .describe(
        "If its runner stays silent, it ends as `error/runner_lost` by itself, and runs again where the file allows that. False: the job has `rerun_if_lost: false` and has begun, so it waits for its runner until its time limit, or until somebody declares it lost.",
      ),
    log_complete: z
      .boolean()
      .nullable()
      .describe("Null while it runs; false when parts of the log are missing."),
    warnings: z
      .array(z.string())
      .describe("The first five, or all of them where the job alone was asked for."),
    warnings_omitted: z.number().int().describe("How many more there are."),
    queued_at: timestamp,
    priority: z
      .number()
      .int()
      .describe(
        "The higher, the earlier in the queue of the repository; 0 unless its file or its event says otherwise.",
      ),
    queue: z
      .object({
        position: z
          .number()
          .int()
          .nullable()
          .describe("1: it is the next of them. Null if more than 100 are before it."),
      })
      .nullable()
      .describe(
        "Its place among the jobs of the repository that wait for a runner with the same labels; null unless it waits for one.",
      ),
    queue_time: z.number().int().nullable().describe("Whole seconds in the queue; null while there."),
    ...spans,
    steps: z.array(RunStep),
  })
  .meta({ id: "RunAttempt" });
export type RunAttempt = z.infer<typeof RunAttempt>;
export const RunJob = z
  .object({
    id: idOf("job"),
    key: z.string().describe("Its id in the file; the same for all combinations of a matrix."),
    name: z.string(),
    stage: z.string(),
    matrix: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Values of this combination; null for a job without a matrix, and while they are not known."),
    ...told,
    allowed_failure: z.boolean().describe("It failed, and `allow_failure` allows that."),
    needs: z.array(z.string()),
    outputs: z
      .record(z.string(), z.string())
      .describe("Empty where they are long, unless the job alone was asked for."),
    outputs_omitted: z.boolean().describe("Some outputs are not included here: request the job itself."),
    ...spans,
    concurrency: ConcurrencyWait.nullable().describe(
      "The slot that it waits for: its own, its stage's or that of the whole run; null if it waits for none.",
    ),
    network: z
      .array(z.string())
      .nullable()
      .describe(
        "Hosts that it may reach beside its own services, as its file lists them; empty: nothing; null: whatever the runner permits.",
      ),
    privileged: z.boolean().describe("Its containers have all rights on the runner's machine."),
    permissions: z
      .array(z.enum(jobPermissions))
      .describe(
        "What the file gives its token (`CI_JOB_TOKEN`); empty also where it starts a pipeline and has none.",
      ),
    permissions_limit: z
      .string()
      .nullable()
      .describe(
        "Why the token only reads in this run; null: `permissions` counts, as far as whoever started the run may write.",
      ),
    keep_open: z.boolean().describe("Its container is kept for a shell if it fails."),
    debug: z.boolean().describe("It was last rerun with debug output."),
    kept_until: timestamp
      .nullable()
      .describe("Until when the container of the failed job is kept for a shell; null while it is not."),
    attempts: z.array(RunAttempt).describe("All attempts, oldest first."),
  })
  .meta({ id: "RunJob" });
export type RunJob = z.infer<typeof RunJob>;
export const RunStage = z
  .object({
    id: idOf("stg"),
    name: z.string(),
    title: z.string().nullable(),
    ...told,
    warnings: z.number().int(),
    placement: z
      .object({
        runner: z
          .object({ id: idOf("rnr"), name: z.string() })
          .nullable()
          .describe("Null until it is chosen."),
        shares_workspace: z.boolean().describe("Some of the jobs work in one workspace."),
        lost: z.boolean().describe("The stage lost this runner before it was over."),
      })
      .nullable()
      .describe(
        "The one runner of all jobs, with `placement: together`; null before the first of them is queued.",
      ),
    ...spans,
    jobs: z.array(RunJob),
  })
  .meta({ id: "RunStage" });
export type RunStage = z.infer<typeof RunStage>;

const summary = {
  id: idOf("pipe"),
  number: z.number().int(),
  ...told,
  warnings: z.number().int().describe("Failures that `allow_failure` allowed."),
  pipeline: z.string().describe("The file it comes from."),
  name: z.string(),
  source: RunSource,
  ref: z.string().describe("`refs/merge-requests/NUMBER/head` in a run of a merge request."),
  sha: z.string(),
  merge_request: z
    .object({ number: z.number().int() })
    .nullable()
    .describe("That it runs for; null: for none."),
  commit: z.object({ sha: z.string(), message: z.string(), author: z.string() }),
  triggered_by: z.object({
    type: z
      .enum(["user", "schedule", "mirror"])
      .describe("`mirror`: a sync of the repository with its source."),
    id: z
      .union([idOf("usr"), idOf("sched")])
      .nullable()
      .describe("Null for a mirror, and for a schedule that is gone."),
    username: z.string().describe("Of the user; `schedule:<name>` or `mirror:sync` if no user started it."),
  }),
  schedule: z
    .object({ id: idOf("sched").nullable().describe("Null if it is gone."), name: z.string() })
    .nullable()
    .describe("Which schedule it belongs to, also if somebody ran that by hand."),
  sequence: z.number().int().describe("1 for the first run, one more for each rerun."),
  queued_at: timestamp,
  ...spans,
  url: z.string(),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};
export const PipelineSummary = z.object(summary).meta({ id: "PipelineSummary" });
export type PipelineSummary = z.infer<typeof PipelineSummary>;
export const Pipeline = z
  .object({
    ...summary,
    stages: z.array(RunStage),
    approvals: z
      .array(ApprovalGate)
      .describe("Gates that this sequence of the run has reached, oldest first."),
    fork_approval: ForkApproval.nullable().describe(
      "The approval of its commit, which comes from a fork; null: nobody was asked for one.",
    ),
    error: z
      .object({ message: z.string(), diagnostics: z.array(Diagnostic) })
      .nullable()
      .describe("What is wrong with the pipeline file."),
    variables: z.array(z.string()).describe("Names of the variables that this run was given."),
    inputs: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
      .describe("With the defaults; null for one that was not given and has none."),
    templates: z.array(RunTemplate).describe("Those that its file uses, and that these use."),
    foreseen: z
      .array(Foreseen)
      .describe(
        "Jobs that will end with an error before a runner takes them, because they lack a secret or may have no identity token, as things stood when the run was created. The first ten reasons.",
      ),
    parent: ParentRun.nullable().describe(
      "The run whose job started this one; null if there is none, or if you may not see it.",
    ),
    children: z
      .array(ChildRun)
      .describe("Runs that its jobs started, oldest first, without those that you may not see."),
  })
  .meta({ id: "Pipeline" });
export type Pipeline = z.infer<typeof Pipeline>;

export const PipelineEventRecord = z
  .object({
    id: z.number().int(),
    node: z.enum(["pipeline", "stage", "job", "attempt", "step"]),
    node_id: z.string(),
    attempt: z.number().int().nullable(),
    old_status: Status.nullable(),
    new_status: Status,
    reason: z.string().nullable(),
    message: z.string().nullable(),
    actor: z.string().nullable(),
    at: timestamp,
  })
  .meta({ id: "PipelineTransition" });
export type PipelineEventRecord = z.infer<typeof PipelineEventRecord>;

const inputValue = z.union([z.string().max(65_536), z.number(), z.boolean()]);
export const PipelineTrigger = z
  .strictObject({
    ref: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe("Branch, tag or commit; default: the default branch."),
    pipeline: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe("File, or its name without `.yml`; needed when there are several."),
    inputs: z
      .record(z.string(), inputValue)
      .optional()
      .describe("By name, as the file declares them; text that says a number, true or false counts as that."),
    variables: z
      .record(VariableName, z.string().max(65_536))
      .optional()
      .describe("Environment of every step, below what the file sets; in expressions as `vars`."),
  })
  .meta({ id: "PipelineTrigger", examples: [{ ref: "main", variables: { COLOUR: "green" } }] });
export type PipelineTrigger = z.infer<typeof PipelineTrigger>;
export const PipelineCancel = z
  .strictObject({ force: z.boolean().optional().describe("Do not wait for what runs `always`.") })
  .meta({ id: "PipelineCancel", examples: [{ force: true }] });
export const PipelineRerun = z
  .strictObject({
    from: z
      .string()
      .regex(/^(failed|all|stage:.+|job:.+)$/)
      .default("failed")
      .describe(
        "`failed` (what did not succeed; a failure that `allow_failure` allows counts as success), `all`, `stage:<name>` (from there on) or `job:<id>` (it, and what did not succeed of what depends on it).",
      ),
    debug: z
      .boolean()
      .default(false)
      .describe(
        "With debug output: `bash` and `sh` print each command of a step before they run it, steps find `CI_DEBUG=true`, and the set-up log says more.",
      ),
  })
  .meta({ id: "PipelineRerun", examples: [{ from: "failed" }] });
