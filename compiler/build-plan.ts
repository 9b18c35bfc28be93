/** The sound file to the plan that is stored with a run: defaults filled in, units resolved, one form for both. */
import { asksForProcess } from "@forgeline/schemas/runners/executor.ts";
import type { Plan, PlanJob, PlanNeed, PlanStage } from "@forgeline/schemas/pipeline-file/plan.ts";
import {
  planClone,
  planEnv,
  planImage,
  planResources,
  planRetry,
  planService,
  planSteps,
  planWhen,
} from "./build-steps.ts";
import { planIdTokens, planSecrets } from "./build-secrets.ts";
import { planApproval } from "./build-approval.ts";
import { planArtifacts } from "./build-artifacts.ts";
import { planCaches } from "./build-caches.ts";
import { planEnvironment } from "./build-environment.ts";
import { planNetwork } from "./build-network.ts";
import { planPermissions } from "./build-permissions.ts";
import { planReports } from "./build-reports.ts";
import { planConcurrency } from "./build-concurrency.ts";
import { planTrigger } from "./build-trigger.ts";
import { planMatrix } from "./build-matrix.ts";
import { labelsOfRunner } from "./stage-labels.ts";
import { durationMs } from "./duration.ts";
import { planPriority } from "./priority.ts";
import { planInputs } from "./inputs.ts";
import type { FileModel, ModelJob, ModelNeed, ModelStage } from "./file-model.ts";
import type { HeldLimit, HeldLimits } from "./held-limits.ts";
import type { ValidFile } from "./structure.ts";

type Defaults = NonNullable<ValidFile["file"]["defaults"]>;

/** Times that the file does not give are no longer than the limits. */
export function buildPlan(
  { file, tree }: ValidFile,
  model: FileModel,
  { file: fileName, limits }: { file: string; limits: HeldLimits },
): Plan {
  const defaults = file.defaults ?? {};
  return {
    version: 1,
    name: file.name ?? nameOfFile(fileName),
    file: fileName,
    inputs: planInputs(tree),
    timeoutMs: Math.min(durationMs(file.timeout ?? "6h"), minutes(limits.run_minutes)),
    concurrency: planConcurrency(file.concurrency),
    env: planEnv(file.env),
    stages: model.stages.map(planStage),
    jobs: model.jobs.map((job) =>
      planJob(job, { labels: labelsOfRunner(job, model, defaults), defaults, limits }),
    ),
  };
}

/** `.forgeline/deploy.yml` is `deploy`, `.forgeline.yml` is `forgeline`. */
function nameOfFile(file: string): string {
  const base = file.slice(file.lastIndexOf("/") + 1);
  return base.replace(/^\./, "").replace(/\.ya?ml$/, "") || "forgeline";
}

function planStage({ name, stage, needs }: ModelStage): PlanStage {
  return {
    name,
    title: stage.title ?? null,
    needs: needs === null ? null : needs.map((need) => need.name),
    when: planWhen(stage.when),
    ...planApproval(stage.approval),
    ...(stage.placement === "together" ? { placement: stage.placement } : {}),
    timeoutMs: stage.timeout === undefined ? null : durationMs(stage.timeout),
    concurrency: planConcurrency(stage.concurrency),
  };
}

function planJob(
  { key, job, stage, needs, matrix }: ModelJob,
  { labels, defaults, limits }: { labels: string[]; defaults: Defaults; limits: HeldLimits },
): PlanJob {
  const idleText = job.idle_timeout ?? defaults.idle_timeout;
  const idleTimeoutMs = idleText === undefined ? null : durationMs(idleText);
  const allow = job.allow_failure ?? false;
  return {
    key,
    name: job.name ?? key,
    stage: stage ?? "main",
    // Without a container it has none, whatever the others have.
    image: planImage(asksForProcess(labels) ? "" : (job.image ?? defaults.image ?? "")),
    runnerLabels: labels,
    needs: needs?.map(planNeed) ?? null,
    when: planWhen(job.when),
    ...planApproval(job.approval),
    ...planEnvironment(job.environment),
    matrix: planMatrix(matrix, job),
    env: { ...planEnv(defaults.env), ...planEnv(job.env) },
    ...planSecrets(job.secrets),
    ...planIdTokens(job.id_token),
    ...(job.trigger ? {} : planPermissions(job.permissions ?? defaults.permissions)),
    outputs: { ...job.outputs },
    services: Object.entries(job.services ?? {}).map(([name, service]) => planService(name, service)),
    steps: job.trigger ? [] : planSteps(job.steps, { shell: defaults.shell, idleTimeoutMs }),
    retry: planRetry(job.retry ?? defaults.retry),
    rerunIfLost: job.rerun_if_lost ?? true,
    allowFailure: typeof allow === "boolean" ? allow : allow.exit,
    timeoutMs: Math.min(durationMs(job.timeout ?? defaults.timeout ?? "1h"), minutes(limits.job_minutes)),
    idleTimeoutMs,
    queueTimeoutMs: durationMs(job.queue_timeout ?? "24h"),
    ...planPriority(job.priority ?? defaults.priority),
    concurrency: planConcurrency(job.concurrency),
    ...(job.workspace === "stage" ? { workspace: job.workspace } : {}),
    clone: planClone(job.clone ?? defaults.clone),
    resources: planResources({ ...defaults.resources, ...job.resources }),
    ...planNetwork(job.network ?? defaults.network),
    ...((job.privileged ?? defaults.privileged) ? { privileged: true as const } : {}),
    ...planCaches(job.cache),
    ...planArtifacts(job.artifacts),
    ...planReports(job.reports),
    ...planTrigger(job, minutes(limits.run_minutes)),
  };
}

function minutes({ value }: HeldLimit): number {
  return value * 60_000;
}

function planNeed({ job, optional, matrix, artifacts }: ModelNeed): PlanNeed {
  return { job, optional, ...(matrix ? { matrix } : {}), ...(artifacts ? { artifacts } : {}) };
}
