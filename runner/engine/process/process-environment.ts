/** One job as processes in a directory of its own: what the job state machine does with it. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { diskUsage, sumOfUsage } from "../disk-usage.ts";
import { EngineError, type JobEnvironment, type JobHandle } from "../engine.ts";
import type { JobPlaces } from "./job-places.ts";
import { killMarked } from "./marked-processes.ts";
import { createProcessFence } from "./process-fence.ts";
import { createProcessFiles } from "./process-files.ts";
import { killStepGroups, resumeStep, startStep, type StepSetting } from "./process-step.ts";
import { unsupported } from "./refuse-job.ts";
import { removeDirectory } from "./remove-directory.ts";

export interface ProcessJob {
  handle: JobHandle;
  places: JobPlaces;
  /** Its own, or that of its stage. */
  workspaceDir: string;
  /** On this machine; null: what the system trusts. */
  caFile: string | null;
  /** Of all its processes. */
  mark: string;
  markOfStep: (position: number) => string;
  /** Environment that every step has, before that of its job. */
  env: Readonly<Record<string, string>>;
  onProblem: (error: unknown) => void;
}

export function processEnvironment(job: ProcessJob): JobEnvironment {
  const { handle, places, workspaceDir, caFile, mark } = job;
  const fence = createProcessFence(places, {
    mark,
    path: job.env["PATH"] ?? "",
    onProblem: job.onProblem,
  });
  const setting = (position: number): StepSetting => ({
    places,
    workspaceDir,
    mark: job.markOfStep(position),
    whyLost: fence.reason,
  });
  const isOwn = workspaceDir.startsWith(`${places.jobDir}/`);
  return {
    handle,
    workspaceDir,
    seenAt: { workspace: workspaceDir, caFile: caFile ?? "" },
    ready: () => Promise.resolve(),
    files: () => createProcessFiles(workspaceDir),
    openWorkspace: () => Promise.resolve(),
    startServices(services) {
      return services.length === 0 ? Promise.resolve() : Promise.reject(unsupported("the job has services"));
    },
    services: () => [],
    endServices: () => Promise.resolve([]),
    async runStep(command, signal) {
      signal.throwIfAborted();
      if (command.image !== null) throw unsupported(`a step asks for the image ${command.image.name}`);
      return startStep(setting(command.position), command, job.env);
    },
    reattachStep: (position) => resumeStep(setting(position), position),
    openShell: () => Promise.reject(new EngineError("unsupported", "This runner opens no shells in jobs.")),
    endShells: () => Promise.resolve(),
    fence: fence.set,
    async diskUsage() {
      const counted = [diskUsage(places.jobDir), ...(isOwn ? [] : [diskUsage(workspaceDir)])];
      return sumOfUsage(await Promise.all(counted));
    },
    unlinkedBytes: () => Promise.resolve({ bytes: 0 }),
    async destroy() {
      fence.clear();
      await destroyJob(places, mark);
    },
  };
}

/** Ends all processes, then removes the directory. Idempotent. */
export async function destroyJob(places: JobPlaces, mark: string): Promise<void> {
  await killStepGroups(places, await readdir(places.steps).catch(() => []));
  await killMarked(mark);
  await removeDirectory(places.jobDir);
}

/** Of a job that has its own. */
export function ownWorkspace(jobDir: string): string {
  return join(jobDir, "workspace");
}
