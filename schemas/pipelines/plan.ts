/** Lint and plan: what is wrong with a file, and what an event would run. */
import { z } from "zod";
import { storableText } from "../core/storable-text.ts";
import { Diagnostic } from "../pipeline-file/diagnostic.ts";
import { eventsWithChanges, maxChangedPaths, PipelineEventName } from "../pipeline-file/event.ts";
import { jobPermissions } from "../pipeline-file/file-permissions.ts";
import { PlanInput } from "../pipeline-file/plan.ts";
import { RunVariable } from "../variables/resource.ts";
import { PipelineTrigger } from "./resource.ts";
import { RunTemplate } from "./template.ts";

export const PipelineLint = z
  .strictObject({
    content: z.string(),
    file: z.string().max(256).optional(),
    ref: z
      .string()
      .max(1024)
      .optional()
      .describe("Where templates of this repository are read. Default: the default branch."),
  })
  .meta({ id: "PipelineLint", examples: [{ content: "image: alpine\nsteps:\n  - echo hello\n" }] });
export const LintResult = z
  .object({ valid: z.boolean(), diagnostics: z.array(Diagnostic) })
  .meta({ id: "LintResult" });
export const PipelinePlan = z
  .strictObject({
    content: z.string().optional().describe("Text of a file; without it the file of `ref` is read."),
    ref: z.string().max(1024).optional(),
    pipeline: z.string().max(256).optional(),
    event: PipelineEventName.optional().describe(
      "Without it `push`; where the file does not list that, the first event that it lists.",
    ),
    inputs: PipelineTrigger.shape.inputs,
    variables: PipelineTrigger.shape.variables,
    paths: z
      .array(storableText({ min: 1, max: 4096 }))
      .max(maxChangedPaths)
      .optional()
      .describe(
        "Files that a push or a sync would change. Without it and `before`, all filters by path match.",
      ),
    before: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe(
        "Branch, tag or commit where the branch would be before a push or a sync: what has changed since then is compared as it is for a push.",
      ),
    actor: storableText({ min: 1, max: 100 })
      .optional()
      .describe(
        "User name for conditions that ask who causes the event: any user, or `schedule:NAME` and `mirror:sync` for what no user causes. Default: the caller. Nothing is read or done in that name.",
      ),
  })
  .refine(({ paths, before }) => paths === undefined || before === undefined, {
    path: ["before"],
    error: "Give paths or before, not both.",
  })
  .refine(({ event = "push", paths }) => paths === undefined || eventsWithChanges.includes(event), {
    path: ["paths"],
    error: "Only a push or a sync changes files.",
  })
  .refine(({ event = "push", before }) => before === undefined || eventsWithChanges.includes(event), {
    path: ["before"],
    error: "Only a push or a sync changes files.",
  })
  .meta({
    id: "PipelinePlan",
    examples: [{ content: "image: alpine\nsteps:\n  - echo hello\n", event: "push" }],
  });
export const PlanGate = z
  .object({
    of: z
      .enum(["stage", "job", "environment"])
      .describe("What asks: `approval` of the stage or the job, or the protection of the environment."),
    approvals: z.int().describe("How many people have to approve. 0: none."),
    wait_minutes: z.int().describe("How long each job waits there; approvals can be given meanwhile."),
  })
  .meta({ id: "PlanGate" });
export type PlanGate = z.infer<typeof PlanGate>;
export const PlanNode = z
  .object({
    node: z
      .enum(["pipeline", "stage", "job", "step"])
      .describe(
        "Of the steps only those that have a condition, behind their job where that runs; the first 2,000 of a plan.",
      ),
    name: z.string(),
    stage: z.string().nullable(),
    job: z.string().exactOptional().describe("Of a step: the `name` of its job."),
    matrix: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Of a combination of a matrix job; null where they are not known yet."),
    environment: z.string().exactOptional().describe("Of a job: what it would deploy to."),
    starts: z.string().exactOptional().describe("Of a job that starts another pipeline: which, in words."),
    permissions: z
      .array(z.enum(jobPermissions))
      .exactOptional()
      .describe("Of a job: what its token may do, where the file says so. Otherwise `repo:read`."),
    priority: z
      .int()
      .exactOptional()
      .describe("Of a job: what it would have, where the file says so and no outputs of other jobs decide."),
    priority_asked: z
      .int()
      .exactOptional()
      .describe("What the file asks for, where that is more than the operator allows."),
    runs: z.boolean(),
    undecided: z
      .literal(true)
      .exactOptional()
      .describe(
        "Of a step whose condition asks for what happens during the run; `runs` is then a guess, as if all before it succeeded.",
      ),
    gates: z
      .array(PlanGate)
      .exactOptional()
      .describe("Of a stage or job that runs: what holds it before it may start, in this order."),
    ends: z
      .enum(["error", "failed"])
      .exactOptional()
      .describe(
        "Of a job that would not be skipped but end with this status, before a runner takes it: `reason` says why.",
      ),
    reason: z.string().nullable(),
    message: z.string().nullable(),
    placement: z.literal("together").exactOptional().describe("Of a stage whose jobs all run on one runner."),
  })
  .meta({ id: "PlanNode" });
export type PlanNode = z.infer<typeof PlanNode>;
export const PipelineInput = PlanInput.meta({ id: "PipelineInput" });
export const PlanResult = z
  .object({
    valid: z.boolean(),
    event: PipelineEventName.describe("What was planned for."),
    nodes: z.array(PlanNode),
    inputs: z.array(PipelineInput).describe("What the file declares, in its order."),
    missing_inputs: z
      .array(z.string())
      .describe("Names of required inputs that were not given: a run without them is refused."),
    templates: z.array(RunTemplate).describe("Those that the file uses, and that these use."),
    variables: z
      .array(RunVariable)
      .describe("All that the run would have, by name: those set for it, and those given in the request."),
    changed_files: z
      .int()
      .nullable()
      .describe("How many files the event changes. null: that is not known, and all filters by path match."),
    diagnostics: z.array(Diagnostic),
  })
  .meta({ id: "PlanResult" });
export type PlanResult = z.infer<typeof PlanResult>;
