/**
 * Gets a job ready for its first step: environment and checkout at the same time, then the checkout is moved in and
 * the services are started. What happens is told in the set-up log. Throws what went wrong; leaves cleaning to others.
 */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobEnvironment } from "../engine/engine.ts";
import { reachedAt } from "../config.ts";
import { leaseKey } from "../state/job-record.ts";
import { moveInto } from "../workspace/checkout.ts";
import { bringNeededArtifacts } from "./job-artifacts.ts";
import { nameCaches, restoreCaches } from "./job-caches.ts";
import { jobRepository } from "./job-server.ts";
import { debugLines } from "./debug-lines.ts";
import type { JobContext } from "./job-context.ts";
import { engineImage, engineService } from "./job-secrets.ts";
import type { JobWorkspace } from "./shared-workspaces.ts";

/** `onEnvironment` is called as soon as there is something to destroy. */
export async function prepareJob(
  job: JobContext,
  onEnvironment: (environment: JobEnvironment) => void,
): Promise<JobEnvironment> {
  if (job.spec.debug) for (const line of debugLines(job)) job.setup.line(line);
  const directory = join(job.settings.checkoutDir, leaseKey(job.record));
  const failed = new AbortController();
  const signal = AbortSignal.any([job.stop.asked, failed.signal]);
  const shared = await openShared(job);
  const clones = job.spec.job.clone !== null && shared?.isFilled !== true;
  const checkout = shared?.isFilled ? continueIn(job) : startCheckout(job, directory, signal);
  const preparing = prepareEnvironment(job, { shared, signal }).then((environment) => {
    onEnvironment(environment);
    return environment;
  });
  const environment = await settleTogether(preparing, checkout, failed);
  if (clones) await moveInto(directory, environment.workspaceDir);
  // What the jobs before left belongs to the users of their images.
  if (shared?.isFilled) await environment.openWorkspace();
  await bringNeededArtifacts(job, environment);
  await nameCaches(job, environment);
  await environment.ready(job.stop.asked);
  await restoreCaches(job, environment);
  await startServices(job, environment);
  if (shared) await job.sharedWorkspaces.filled(shared.id);
  job.record.prepared = true;
  return environment;
}

/** What `first` gives, once both are done; or the first failure, once the other one has stopped too. */
async function settleTogether<T>(
  first: Promise<T>,
  second: Promise<void>,
  failed: AbortController,
): Promise<T> {
  const problems: unknown[] = [];
  const note = (error: unknown) => {
    problems.push(error);
    failed.abort();
  };
  first.catch(note);
  second.catch(note);
  await Promise.allSettled([first, second]);
  if (problems.length > 0) throw problems[0];
  return first;
}

async function startCheckout(job: JobContext, directory: string, signal: AbortSignal): Promise<void> {
  const { clone } = job.spec.job;
  if (!clone) return job.setup.line("No checkout (clone: false)");
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  await job.checkOut({
    ...job.spec.clone,
    url: reachedAt(job.spec.clone.url, job.settings.serverUrl),
    publicUrl: job.spec.clone.url,
    jobUrl: jobRepository(job.spec),
    egress: job.settings.egress,
    baseEnv: job.settings.hostEnv,
    token: job.spec.token,
    caFile: job.settings.caFile,
    clone,
    commits: job.commits,
    directory,
    signal,
    onLine: (line) => job.setup.line(line),
  });
}

/** The workspace of the stage; null where the job has its own. */
async function openShared({ spec, sharedWorkspaces }: JobContext): Promise<JobWorkspace | null> {
  return spec.sharedWorkspace && sharedWorkspaces.open(spec.sharedWorkspace);
}

async function continueIn({ setup }: JobContext): Promise<void> {
  setup.line("No checkout: the workspace is as the jobs of this stage before left it");
}

async function prepareEnvironment(
  job: JobContext,
  { shared, signal }: { shared: JobWorkspace | null; signal: AbortSignal },
): Promise<JobEnvironment> {
  const { spec, settings, record } = job;
  if (!job.engine.isWithoutContainers) job.setup.line(`Preparing ${spec.job.image.name}`);
  const environment = await job.engine.prepare({
    leaseKey: leaseKey(record),
    repositoryId: spec.repositoryId,
    sharedWorkspace: shared?.id ?? null,
    image: engineImage(spec.job.image, spec),
    resources: spec.job.resources,
    services: spec.job.services,
    stepContainers: stepContainersOf(spec.job.steps),
    runnerLabels: spec.job.runnerLabels,
    extraHosts: settings.extraHosts,
    caFile: settings.caFile,
    ...(spec.job.network ? { network: spec.job.network } : {}),
    isPrivileged: spec.job.privileged ?? false,
    onProgress: (line) => job.setup.line(line),
    signal,
  });
  record.handle = environment.handle;
  // On disk before any step: `runSteps` waits for it.
  void job.save().catch(() => undefined);
  return environment;
}

/** The most that there are at the same time. */
export function stepContainersOf(
  steps: readonly Pick<PlanStep, "image" | "parallel" | "position">[],
): number {
  const own = steps.filter((step) => step.image !== null);
  const together = Map.groupBy(own, (step) => step.parallel ?? step.position);
  return Math.max(0, ...[...together.values()].map((group) => group.length));
}

async function startServices(job: JobContext, environment: JobEnvironment): Promise<void> {
  const { services } = job.spec.job;
  if (services.length === 0) return;
  job.setup.line(`Starting ${services.map((service) => service.key).join(", ")}`);
  const opened: Promise<unknown>[] = [];
  try {
    await environment.startServices(
      services.map((service) => engineService(service, job.spec)),
      (service) => opened.push(job.logs.openService(service)),
      job.stop.asked,
    );
  } finally {
    await Promise.all(opened);
  }
  job.setup.line("Services are ready");
}
