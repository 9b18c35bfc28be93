/** What a job asks for that needs a container, and so cannot be had where jobs are processes. Pure. */
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import { asksForProcess, processLabel } from "@forgeline/schemas/runners/executor.ts";
import { EngineError, type EngineJob } from "../engine.ts";

type Asked = Pick<
  EngineJob,
  "image" | "services" | "stepContainers" | "network" | "isPrivileged" | "resources" | "runnerLabels"
>;

/** Throws `EngineError`: `unsupported` names each thing, `resources` what is more than the runner's limit. */
export function refuseJob(job: Asked, limits: Pick<RunnerLimits, "memoryBytes" | "cpu" | "diskBytes">): void {
  if (!asksForProcess(job.runnerLabels ?? []))
    throw unsupported(`the job does not ask for the label ${processLabel}`);
  const asked = [
    ...(job.image.name === "" ? [] : [`the image ${job.image.name}`]),
    ...(job.stepContainers > 0 ? ["steps with images of their own"] : []),
    ...(job.services.length > 0 ? ["services"] : []),
    ...(job.network ? ["a restricted network"] : []),
    ...(job.isPrivileged ? ["privileged containers"] : []),
    ...(job.resources.shmBytes === null ? [] : ["resources.shm"]),
  ];
  if (asked.length > 0) throw unsupported(`the job asks for ${asked.join(", ")}`);
  const { memoryBytes, cpu, diskBytes } = job.resources;
  checkAmount("memory", { asked: memoryBytes, max: limits.memoryBytes.max }, "MAX_MEMORY");
  checkAmount("CPU cores", { asked: cpu, max: limits.cpu.max }, "MAX_CPU");
  checkAmount("disk", { asked: diskBytes ?? null, max: limits.diskBytes }, "MAX_DISK");
}

/** For what comes up later, such as an image that an expression names. */
export function unsupported(why: string): EngineError {
  return new EngineError(
    "unsupported",
    `This runner executes jobs as processes, without containers, and ${why}.`,
  );
}

function checkAmount(
  what: string,
  { asked, max }: { asked: number | null; max: number },
  setting: string,
): void {
  if (asked === null || asked <= max) return;
  throw new EngineError(
    "resources",
    `The job asks for more ${what} (${String(asked)}) than a job may have on this runner: ${String(max)} (FORGELINE_RUNNER_${setting}).`,
  );
}
