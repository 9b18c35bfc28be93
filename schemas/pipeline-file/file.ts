/**
 * The pipeline file, version 1, in its two forms. The compiler validates with these schemas, and the JSON Schema for
 * editors is made from them (`scripts/generate/pipeline-schema.ts`). Rules between keys (references, cycles,
 * expressions) are the compiler's.
 */
import { z } from "zod";
import { pipelineLimits } from "../pipeline-limits/limits.ts";
import { FileArtifacts } from "./file-artifacts.ts";
import { FileCaches } from "./file-caches.ts";
import { FileReports } from "./file-reports.ts";
import { FileConcurrency } from "./file-concurrency.ts";
import { FileEnvironment } from "./file-environment.ts";
import { FileIdToken } from "./file-id-token.ts";
import { FilePermissions } from "./file-permissions.ts";
import { FilePriority } from "./file-priority.ts";
import { FileJob, FileServices, FileStage, FileSteps } from "./file-job.ts";
import { FileNetwork } from "./file-network.ts";
import { FilePrivileged } from "./file-privileged.ts";
import { FileSecrets } from "./file-secrets.ts";
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
  FileText,
} from "./file-values.ts";
import { FileOn } from "./file-when.ts";

export const FileDefaults = z
  .strictObject({
    image: FileImage.optional(),
    runner: FileRunner.optional(),
    env: FileEnv.optional(),
    retry: FileRetry.optional(),
    timeout: FileDuration.optional().describe("Longest running time of a job."),
    idle_timeout: FileDuration.optional().describe("Longest time without output."),
    priority: FilePriority.optional(),
    clone: FileClone.optional(),
    shell: FileShell.optional(),
    resources: FileResources.optional(),
    network: FileNetwork.optional(),
    privileged: FilePrivileged.optional(),
    permissions: FilePermissions.optional(),
  })
  .meta({ id: "defaults", description: "What every job has unless it says otherwise." });

const common = {
  version: z.literal(1).optional().describe("Version of the file's form."),
  name: FileText.optional().describe("Display name. Default: the file's name."),
  on: FileOn.optional(),
  defaults: FileDefaults.optional(),
  env: FileEnv.optional(),
  timeout: FileDuration.optional().describe("Longest running time of the whole run. Default 6h."),
  concurrency: FileConcurrency.optional().describe("The whole run takes a slot before its first job starts."),
};

/** The full form: jobs, in stages or all in one. */
export const FullPipelineFile = z.strictObject({
  ...common,
  stages: z
    .array(FileStage)
    .min(1)
    .meta({ maxItems: pipelineLimits.stages.highest })
    .optional()
    .describe("Stages in order."),
  jobs: z
    .record(FileId, FileJob)
    .meta({ minProperties: 1, maxProperties: pipelineLimits.jobs.highest, description: "Jobs by id." }),
});
export type FullPipelineFile = z.infer<typeof FullPipelineFile>;

/** The tiny form: one job `main` in one stage `main`. */
export const TinyPipelineFile = z.strictObject({
  ...common,
  image: FileImage.optional(),
  services: FileServices.optional(),
  environment: FileEnvironment.optional(),
  secrets: FileSecrets.optional().describe("Secrets that every step gets."),
  id_token: FileIdToken.optional(),
  permissions: FilePermissions.optional(),
  cache: FileCaches.optional(),
  artifacts: FileArtifacts.optional(),
  reports: FileReports.optional(),
  steps: FileSteps,
});
export type TinyPipelineFile = z.infer<typeof TinyPipelineFile>;

export const PipelineFile = z.union([FullPipelineFile, TinyPipelineFile]);
export type PipelineFile = z.infer<typeof PipelineFile>;
