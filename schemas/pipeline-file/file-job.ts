/** Services, steps, jobs and stages as an author writes them. */
import { z } from "zod";
import { pipelineLimits } from "../pipeline-limits/limits.ts";
import { FileApproval } from "./file-approval.ts";
import {
  FileClone,
  FileDuration,
  FileEnv,
  FileId,
  FileImage,
  FileResources,
  FileRetry,
  FileRunner,
  FileShell,
  FileStrings,
  FileText,
} from "./file-values.ts";
import { FileIdToken } from "./file-id-token.ts";
import { FileSecrets } from "./file-secrets.ts";
import { FileArtifacts } from "./file-artifacts.ts";
import { FileCaches } from "./file-caches.ts";
import { FileEnvironment } from "./file-environment.ts";
import { FileNetwork } from "./file-network.ts";
import { FilePrivileged } from "./file-privileged.ts";
import { FilePermissions } from "./file-permissions.ts";
import { FileReports } from "./file-reports.ts";
import { FileConcurrency } from "./file-concurrency.ts";
import { FilePriority } from "./file-priority.ts";
import { FileMatrix, FileMatrixFilter } from "./file-matrix.ts";
import { FileUses, FileWith } from "./file-template.ts";
import { FileTrigger } from "./file-trigger.ts";
import { FileWhen } from "./file-when.ts";

export const FileService = z
  .strictObject({
    image: FileImage,
    env: FileEnv.optional(),
    secrets: FileSecrets.optional().describe("Secrets of this service, each as a file."),
    command: z.array(z.string()).optional().describe("Arguments instead of the image's own."),
    ready: z
      .union([
        z.literal(false),
        z.strictObject({
          tcp: z.int().min(1).max(65535).optional().describe("Ready when this port accepts a connection."),
          http: z.string().min(1).optional().describe("Ready when this path answers 2xx, as :8080/health."),
          exec: z.string().min(1).optional().describe("Ready when this command in the service exits 0."),
          timeout: FileDuration.optional().describe("Default 60s; then the job is error/service_not_ready."),
          interval: FileDuration.optional().describe("Time between probes. Default 1s."),
        }),
      ])
      .optional()
      .describe("Probe. Omitted: the image's HEALTHCHECK, else started is ready; false: do not wait."),
    resources: FileResources.optional(),
  })
  .meta({ id: "service", description: "A container beside the job; its key is its host name." });
export const FileServices = z
  .record(FileId, FileService)
  .meta({ id: "services", maxProperties: pipelineLimits.services.highest });

/** What a step may have, and steps that run at the same time may have together. */
const stepKeys = {
  image: FileImage.optional().describe("An image for this step alone, on the same workspace and network."),
  shell: FileShell.optional(),
  workdir: z.string().min(1).optional().describe("Directory below the workspace."),
  env: FileEnv.optional(),
  secrets: FileSecrets.optional().describe("Secrets of this step, besides the job's."),
  when: FileWhen.optional(),
  timeout: FileDuration.optional().describe("Longest running time. Default: the job's."),
  idle_timeout: FileDuration.optional().describe("Longest time without output."),
  allow_failure: z.boolean().optional().describe("Go on when this step fails. Default false."),
};

const FileCommand = z.string().min(1, "a command");
const FileRunStep = z.strictObject({
  id: FileId.optional().describe("Name for steps.<id>.outputs."),
  name: FileText.optional().describe("Display name. Default: the first line of run."),
  run: z.string().min(1, "a command").describe("Script. ${{ }} is refused here: pass values through env."),
  ...stepKeys,
});
/** A step that runs one script. */
export const FileSingleStep = z
  .union([FileCommand, FileRunStep])
  .meta({ id: "single_step", description: "A command, or a mapping with run." });

/** Steps that run at the same time. */
export const FileStepGroup = z.strictObject({
  parallel: z
    .array(FileSingleStep)
    .min(2)
    .max(16)
    .describe("Steps that run at the same time. All run to their end; fails if any of them fails."),
  name: FileText.optional().describe("Stands before the names of the steps."),
  ...stepKeys,
});
export type FileStepGroup = z.infer<typeof FileStepGroup>;

/** The steps of a template, in this place. */
export const FileTemplateStep = z.strictObject({
  uses: FileUses,
  with: FileWith.optional(),
  id: FileId.optional().describe("Name for steps.<id>.outputs: the outputs of the template."),
  name: FileText.optional().describe("Stands before the names of the steps."),
  ...stepKeys,
  /** What the compiler puts here; it has been checked as a file of its own. Authors cannot write it. */
  steps: z.array(z.unknown()).optional(),
});
export type FileTemplateStep = z.infer<typeof FileTemplateStep>;

export const FileStep = z
  .union([FileCommand, FileRunStep, FileStepGroup, FileTemplateStep])
  .meta({ id: "step", description: "A command, or a mapping with run, parallel or uses." });
/** How long the lists of a file can be, the compiler says: administrators can set it. Here is the most for editors. */
export const FileSteps = z
  .array(FileStep)
  .min(1)
  .meta({ id: "steps", maxItems: pipelineLimits.steps.highest });

export const FileNeeds = z
  .array(
    z.union([
      FileId,
      z.strictObject({
        job: FileId.describe("The job that must be done first."),
        optional: z.boolean().optional().describe("Go on when that job is skipped. Default false."),
        matrix: FileMatrixFilter.optional().describe(
          "Of a job with a matrix: only the combinations with these values. Default: all.",
        ),
        artifacts: z
          .union([z.boolean(), z.array(z.string()).max(pipelineLimits.artifacts.highest)])
          .optional()
          .describe(
            "Artifacts of that job to put into the workspace: names, or true for all. Default: none.",
          ),
      }),
    ]),
  )
  .meta({ id: "needs", maxItems: pipelineLimits.needs.highest });

export const FileJob = z
  .strictObject({
    stage: FileId.optional().describe("The stage of this job; needed when the file has stages."),
    name: FileText.optional().describe("Display name. Default: the job's key."),
    image: FileImage.optional(),
    runner: FileRunner.optional(),
    needs: FileNeeds.optional().describe("Jobs that must be done first, instead of the stage before."),
    when: FileWhen.optional(),
    approval: FileApproval.optional(),
    environment: FileEnvironment.optional(),
    matrix: FileMatrix.optional(),
    max_parallel: z
      .int()
      .min(1)
      .max(pipelineLimits.matrix_combinations.highest)
      .optional()
      .describe("How many combinations of the matrix may run at the same time. Default: no limit."),
    fail_fast: z
      .boolean()
      .optional()
      .describe("Cancel the other combinations of the matrix when one fails. Default false."),
    env: FileEnv.optional(),
    secrets: FileSecrets.optional().describe("Secrets that every step of this job gets."),
    id_token: FileIdToken.optional(),
    permissions: FilePermissions.optional(),
    services: FileServices.optional(),
    steps: FileSteps,
    uses: FileUses.optional().describe("The template that says what the job does, instead of steps."),
    with: FileWith.optional(),
    trigger: FileTrigger.optional(),
    outputs: z
      .record(z.string(), z.string())
      .optional()
      .describe("Values for jobs that need this one, as ${{ steps.<id>.outputs.<name> }}."),
    retry: FileRetry.optional(),
    rerun_if_lost: z.boolean().optional().describe("Run again when the runner is lost. Default true."),
    timeout: FileDuration.optional().describe("Longest running time. Default 1h, and 6h with trigger."),
    idle_timeout: FileDuration.optional().describe("Longest time without output, in each step."),
    concurrency: FileConcurrency.optional(),
    priority: FilePriority.optional(),
    queue_timeout: FileDuration.optional().describe("Longest wait for a runner. Default 24h."),
    allow_failure: z
      .union([z.boolean(), z.strictObject({ exit: z.array(z.int().min(1).max(255)) })])
      .optional()
      .describe("true, or { exit: [codes] }: the pipeline goes on with a warning."),
    clone: FileClone.optional(),
    workspace: z
      .enum(["own", "stage"])
      .optional()
      .describe(
        "stage: one workspace for all jobs of the stage that say so; they run one after another. Default own.",
      ),
    resources: FileResources.optional(),
    network: FileNetwork.optional(),
    privileged: FilePrivileged.optional(),
    cache: FileCaches.optional(),
    artifacts: FileArtifacts.optional(),
    reports: FileReports.optional(),
  })
  .meta({ id: "job" });

export const FileStage = z
  .union([
    FileId,
    z.strictObject({
      name: FileId,
      title: FileText.optional().describe("Display name. Default: the name."),
      needs: FileStrings.optional().describe("Stages that must be done first, instead of the one before."),
      when: FileWhen.optional(),
      approval: FileApproval.optional(),
      timeout: FileDuration.optional().describe("Longest running time of the stage."),
      concurrency: FileConcurrency.optional().describe("All jobs of the stage share one slot."),
      placement: z
        .enum(["any", "together"])
        .optional()
        .describe("together: all jobs of the stage run on the same runner. Default any."),
    }),
  ])
  .meta({ id: "stage", description: "The stage's name, or a mapping." });
