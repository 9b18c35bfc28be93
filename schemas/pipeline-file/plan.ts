/**
 * The plan: what the compiler makes of a pipeline file. It is stored with the run, decided on by the workflow
 * (order, timeouts, retry) and executed by the runner (steps). All defaults are filled in; all durations are
 * milliseconds; all sizes bytes. Text that contains `${{ }}` of contexts known only later (`needs`, `steps`)
 * stays a template and is evaluated by the server (job level, when the job is queued) or the runner (steps).
 */
import { z } from "zod";
import { PlanApproval } from "./plan-approval.ts";
import { PlanEnvironment } from "./plan-environment.ts";
import { inputTypes } from "./file-input.ts";
import { jobPermissions } from "./file-permissions.ts";
import { NeededArtifacts, PlanArtifact } from "./plan-artifact.ts";
import { PlanCache } from "./plan-cache.ts";
import { PlanNetwork } from "./plan-network.ts";
import { PlanReports } from "./plan-reports.ts";
import { PlanTrigger } from "./plan-trigger.ts";

/** A value that may hold `${{ }}`; see `compiler/template.ts`. */
const template = z.string();
const durationMs = z.number().int().positive();

/** A secret by its name; the value comes with the lease. */
export const PlanSecret = z.object({
  name: z.string(),
  /** Variable that holds the value. */
  env: z.string().nullable(),
  /** Variable that holds the path of a file with the value. */
  file: z.string().nullable(),
  optional: z.boolean(),
});
export type PlanSecret = z.infer<typeof PlanSecret>;

/** Names of secrets: one with `user:password`, or one with the password. */
export const PlanImageAuth = z.union([
  z.object({ secret: z.string() }),
  z.object({ username: z.string(), password: z.string() }),
]);
export type PlanImageAuth = z.infer<typeof PlanImageAuth>;

export const PlanImage = z.object({
  name: template,
  user: z.string().nullable(),
  /** Absent: as `if-missing`. */
  pull: z.literal("always").optional(),
  /** Absent: the registry is asked without credentials. */
  auth: PlanImageAuth.optional(),
  /** Of services only. Absent: the image's own; []: none. */
  entrypoint: z.array(z.string()).optional(),
});

/** One clause of `when`; all keys present must match. Patterns are globs, `!` excludes. */
export const PlanOwnClause = z.object({
  event: z.array(z.string()).optional(),
  branch: z.array(z.string()).optional(),
  target: z.array(z.string()).optional(),
  /** Of a merge request: one of its labels matches. */
  label: z.array(z.string()).optional(),
  tag: z.array(z.string()).optional(),
  paths: z.array(z.string()).optional(),
  paths_ignore: z.array(z.string()).optional(),
  actor: z.array(z.string()).optional(),
  /** Only combinations of the matrix with these values. */
  matrix: z.record(z.string(), z.string()).optional(),
  status: z.enum(["success", "failure", "always"]).optional(),
  if: z.string().optional(),
  /** The clause as the user wrote it, for the reason `when:<clause>`. */
  text: z.string(),
});
export type PlanOwnClause = z.infer<typeof PlanOwnClause>;
export const PlanClause = PlanOwnClause.extend({
  /** Conditions beside the `uses` that brought the step: of each list, a clause must match too. Absent: none. */
  also: z.array(z.array(PlanOwnClause)).optional(),
});
export type PlanClause = z.infer<typeof PlanClause>;
/** Any clause matches; an empty list means no condition. */
export const PlanWhen = z.array(PlanClause);

export const PlanReady = z.object({
  tcp: z.number().int().optional(),
  http: z.string().optional(),
  exec: z.string().optional(),
  timeoutMs: durationMs,
  intervalMs: durationMs,
});
export const PlanResources = z.object({
  cpu: z.number().positive().nullable(),
  memoryBytes: z.number().int().positive().nullable(),
  shmBytes: z.number().int().positive().nullable(),
  /** Of jobs only. Absent: what the runner allows. */
  diskBytes: z.number().int().positive().optional(),
});
export const PlanService = z.object({
  key: z.string(),
  image: PlanImage,
  env: z.record(z.string(), template),
  /** Each as a file. Absent: none. */
  secrets: z.array(PlanSecret).optional(),
  command: z.array(z.string()).nullable(),
  /** null: use the image's HEALTHCHECK, else started is ready; false: do not wait. */
  ready: z.union([PlanReady, z.literal(false)]).nullable(),
  resources: PlanResources,
});
export const PlanStep = z.object({
  position: z.number().int().min(0),
  id: z.string().nullable(),
  name: template,
  run: z.string(),
  image: PlanImage.nullable(),
  shell: z.enum(["auto", "sh", "bash", "pwsh", "none"]),
  workdir: z.string().nullable(),
  env: z.record(z.string(), template),
  /** Besides the job's. Absent: none. */
  secrets: z.array(PlanSecret).optional(),
  when: PlanWhen,
  timeoutMs: durationMs.nullable(),
  idleTimeoutMs: durationMs.nullable(),
  allowFailure: z.boolean(),
  /** Steps with the same number run at the same time; it is the position of the first of them. null: it runs alone. */
  parallel: z.number().int().min(0).nullable().default(null),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** Reasons that `retry.on` can name; `exit:<a>-<b>` for ranges. `any` stands for the plain number form. */
export const PlanRetry = z.object({
  max: z.number().int().min(0).max(10),
  on: z.array(z.string()),
  delayMs: z.number().int().min(0),
  factor: z.number().min(1),
  maxDelayMs: z.number().int().min(0),
});
export type PlanRetry = z.infer<typeof PlanRetry>;

export const PlanClone = z.object({
  depth: z.number().int().min(0),
  filter: z.enum(["none", "blob:none", "tree:0"]),
  tags: z.boolean(),
  lfs: z.boolean(),
  /** Absent: they are left out. */
  submodules: z.enum(["direct", "recursive"]).optional(),
});

/** The values of one combination, by name. */
export const MatrixValues = z.record(z.string(), z.string());
export type MatrixValues = z.infer<typeof MatrixValues>;

/** Values as in the file: lists of texts, or an expression for a whole list. */
const matrixList = z.union([template, z.array(template)]);
const matrixCombinations = z.union([template, z.array(z.record(z.string(), template))]);
export const PlanMatrixSource = z.union([
  template,
  z.object({
    values: z.array(z.object({ name: z.string(), list: matrixList })),
    include: matrixCombinations,
    exclude: matrixCombinations,
  }),
]);
export type PlanMatrixSource = z.infer<typeof PlanMatrixSource>;

export const PlanMatrix = z.object({
  /** In their order; null where `source` has expressions. */
  combinations: z.array(MatrixValues).nullable(),
  source: PlanMatrixSource.nullable(),
  /** null: no limit. */
  maxParallel: z.number().int().min(1).nullable(),
  failFast: z.boolean(),
});
export type PlanMatrix = z.infer<typeof PlanMatrix>;

export const PlanNeed = z.object({
  job: z.string(),
  optional: z.boolean(),
  /** Of a matrix job: only the combinations with these values. */
  matrix: MatrixValues.optional(),
  /** Absent: none. */
  artifacts: NeededArtifacts.optional(),
});
export type PlanNeed = z.infer<typeof PlanNeed>;

/** A group of which only `limit` may run at the same time. `group` is evaluated when the run is created. */
export const PlanConcurrency = z.object({
  group: template,
  limit: z.number().int().min(1),
  order: z.enum(["created", "ready"]),
  waiting: z.enum(["all", "newest"]),
  cancelRunning: z.boolean(),
  scope: z.enum(["repo", "org"]),
});
export type PlanConcurrency = z.infer<typeof PlanConcurrency>;

export const PlanJob = z.object({
  key: z.string(),
  name: template,
  stage: z.string(),
  image: PlanImage,
  /** Labels that a runner must all have; `key=*` matches any value. */
  runnerLabels: z.array(z.string()),
  /** null: no `needs` key, the stage order applies; []: starts at once. */
  needs: z.array(PlanNeed).nullable(),
  when: PlanWhen,
  /** Absent: it starts without one. */
  approval: PlanApproval.optional(),
  /** Absent: it deploys nowhere. */
  environment: PlanEnvironment.optional(),
  /** null: one job. Absent in plans from before matrices. */
  matrix: PlanMatrix.nullable().default(null),
  env: z.record(z.string(), template),
  /** Of every step. Absent: none. */
  secrets: z.array(PlanSecret).optional(),
  /** Identity tokens, by the variables of every step that hold them. Absent: none. */
  idTokens: z.array(z.object({ name: z.string(), audience: z.string() })).optional(),
  /** Of its own token. Absent: `repo:read`; []: none beyond what the checkout needs. */
  permissions: z.array(z.enum(jobPermissions)).optional(),
  outputs: z.record(z.string(), template),
  services: z.array(PlanService),
  /** Empty only beside `trigger`. */
  steps: z.array(PlanStep),
  retry: PlanRetry,
  rerunIfLost: z.boolean(),
  /** true: any failure is allowed; a list: these exit codes are. */
  allowFailure: z.union([z.boolean(), z.array(z.number().int())]),
  timeoutMs: durationMs,
  idleTimeoutMs: durationMs.nullable(),
  queueTimeoutMs: durationMs,
  /** A text is an expression; a job that has started has its number. Absent: that of the event. */
  priority: z.union([z.number().int(), template]).optional(),
  concurrency: PlanConcurrency.nullable().default(null),
  /** It works in the workspace of its stage, whose jobs are placed together. Absent: in its own. */
  workspace: z.literal("stage").optional(),
  /** null: `clone: false`. */
  clone: PlanClone.nullable(),
  resources: PlanResources,
  /** Absent: whatever the runner permits. */
  network: PlanNetwork.optional(),
  /** Absent: its containers have no rights beyond their own. */
  privileged: z.literal(true).optional(),
  /** Absent: none. */
  cache: z.array(PlanCache).optional(),
  /** Absent: none. */
  artifacts: z.array(PlanArtifact).optional(),
  /** Absent: none. */
  reports: PlanReports.optional(),
  /** Absent: it has steps, which a runner executes. */
  trigger: PlanTrigger.optional(),
});
export type PlanJob = z.infer<typeof PlanJob>;

export const PlanStage = z.object({
  name: z.string(),
  title: z.string().nullable(),
  /** null: starts after the stage before it; a list: after these stages. */
  needs: z.array(z.string()).nullable(),
  when: PlanWhen,
  approval: PlanApproval.optional(),
  /** All jobs run on one runner; each asks for the labels of all. Absent: on any. */
  placement: z.literal("together").optional(),
  timeoutMs: durationMs.nullable(),
  concurrency: PlanConcurrency.nullable().default(null),
});
export type PlanStage = z.infer<typeof PlanStage>;

export const PlanInput = z.object({
  name: z.string(),
  type: z.enum(inputTypes),
  options: z.array(z.string()).describe("What can be chosen; empty unless the type is `choice`."),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  required: z.boolean(),
  description: z.string().nullable(),
});
export type PlanInput = z.infer<typeof PlanInput>;

export const Plan = z.object({
  version: z.literal(1),
  name: z.string(),
  file: z.string(),
  /** In the order of the file. Plans of earlier runs have none. */
  inputs: z.array(PlanInput).default([]),
  timeoutMs: durationMs,
  /** Of the whole run. */
  concurrency: PlanConcurrency.nullable().default(null),
  env: z.record(z.string(), template),
  stages: z.array(PlanStage).min(1),
  jobs: z.array(PlanJob).min(1),
});
export type Plan = z.infer<typeof Plan>;
