/**
 * The executor without containers: jobs are processes of the runner's own user, each in a directory of its own. Nothing isolates them from the
 * machine, its user or each other (`docs/architecture/process-executor.md`).
 */
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import { z } from "zod";
import type { EgressSettings } from "../../egress/settings.ts";
import type { Engine, EngineJob, JobEnvironment, JobHandle } from "../engine.ts";
import { isSharedDirectory, jobDirectory, jobPlaces, leaseKeyOf, sharedDirectory } from "./job-places.ts";
import { killMarked, marksOf } from "./marked-processes.ts";
import { destroyJob, ownWorkspace, processEnvironment } from "./process-environment.ts";
import { ownUser } from "./own-user.ts";
import { refuseJob } from "./refuse-job.ts";
import { removeDirectory } from "./remove-directory.ts";

export interface ProcessEngineOptions {
  /** Marks processes, so that those of another runner of this machine are left alone. */
  runnerId: string;
  workDir: string;
  limits: RunnerLimits;
  egress: Pick<EgressSettings, "mode">;
  /** Where steps find programs, unless their file says otherwise. */
  path: string;
  /** Problems that only the operator can do something about. */
  onWarning: (line: string) => void;
}

const withoutIsolation =
  "jobs run as processes of the runner's user (FORGELINE_RUNNER_EXECUTOR=process), which nothing holds back";

/** What is known of a job after a restart, beside its handle. */
const JobFile = z.object({ workspaceDir: z.string(), caFile: z.string().nullable() });
type JobFile = z.infer<typeof JobFile>;

export function createProcessEngine(options: ProcessEngineOptions): Engine {
  const workDir = resolve(options.workDir);
  const marks = marksOf(options.runnerId);
  const active = new Set<string>();

  function environmentOf(handle: JobHandle, { workspaceDir, caFile }: JobFile): JobEnvironment {
    const { leaseKey, jobDir } = handle;
    const places = jobPlaces(jobDir);
    const environment = processEnvironment({
      handle,
      places,
      workspaceDir,
      caFile,
      mark: marks.job(leaseKey),
      markOfStep: (position) => marks.step(leaseKey, position),
      env: stepEnvironment({ path: options.path, temporary: places.temporary }),
      onProblem: (error) => options.onWarning(`A job could not be ended in time: ${String(error)}`),
    });
    const destroy = async () => {
      await environment.destroy();
      active.delete(leaseKey);
    };
    return { ...environment, destroy };
  }

  async function prepare(job: EngineJob): Promise<JobEnvironment> {
    job.signal.throwIfAborted();
    refuseJob(job, options.limits);
    const { leaseKey, repositoryId, sharedWorkspace, caFile } = job;
    active.add(leaseKey);
    const jobDir = jobDirectory(workDir, leaseKey);
    const places = jobPlaces(jobDir);
    const workspaceDir =
      sharedWorkspace === null
        ? ownWorkspace(jobDir)
        : join(sharedDirectory(workDir, sharedWorkspace), "workspace");
    // Left by an agent that died before any step began.
    await destroyJob(places, marks.job(leaseKey));
    for (const directory of [places.temporary, places.steps, workspaceDir])
      await mkdir(directory, { recursive: true, mode: 0o700 });
    const known: JobFile = { workspaceDir, caFile };
    await writeFile(join(jobDir, "job.json"), JSON.stringify(known), { mode: 0o600 });
    job.onProgress(
      `Without isolation: this runner executes steps as processes of its user ${ownUser().name}, without a container or limits of memory, cores and network`,
    );
    const handle = { leaseKey, repositoryId, jobDir, containerId: leaseKey, networkId: null, volume: null };
    return environmentOf(handle, known);
  }

  async function remove(leaseKey: string): Promise<void> {
    await destroyJob(jobPlaces(jobDirectory(workDir, leaseKey)), marks.job(leaseKey));
    active.delete(leaseKey);
  }

  async function sweep(keep: ReadonlySet<string>) {
    const shared = new Set([...keep].map((id) => basename(sharedDirectory(workDir, id))));
    let count = 0;
    for (const name of await readdir(workDir).catch(() => [])) {
      const leaseKey = leaseKeyOf(name);
      if (leaseKey !== null && !keep.has(leaseKey) && !active.has(leaseKey)) {
        await remove(leaseKey);
        count += 1;
      } else if (isSharedDirectory(name) && !shared.has(name)) await removeDirectory(join(workDir, name));
    }
    // Of jobs whose directories are gone.
    const stays = (mark: string) => [...keep, ...active].some((key) => mark.startsWith(marks.job(key)));
    await killMarked(marks.runner, stays);
    return { containers: count, networks: 0, volumes: 0 };
  }

  return {
    isWithoutContainers: true,
    prepare,
    async reattach(handle) {
      const jobDir = jobDirectory(workDir, handle.leaseKey);
      const known = await readJobFile(jobDir);
      if (known === null) return null;
      active.add(handle.leaseKey);
      return environmentOf({ ...handle, jobDir }, known);
    },
    discard: ({ leaseKey }) => remove(leaseKey),
    sweep,
    removeWorkspace: (id) => removeDirectory(sharedDirectory(workDir, id)),
    images: () => Promise.resolve([]),
    storageDirectory: () => Promise.resolve(null),
    stopPulls: () => undefined,
    warnings: () => Promise.resolve([warningOf()]),
    obstacle: () => Promise.resolve(null),
    async filterEgress() {
      return egressOf(options.egress);
    },
    kind: () => Promise.resolve(null),
    features: () => [],
    serverAt: () => undefined,
    warm: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** Null where the job, or its workspace, is not there any more. */
async function readJobFile(jobDir: string): Promise<JobFile | null> {
  try {
    const known = JobFile.parse(JSON.parse(await readFile(join(jobDir, "job.json"), "utf8")));
    await access(known.workspaceDir);
    return known;
  } catch {
    return null;
  }
}

/** Nothing of the runner's own environment but what programs need everywhere. */
function stepEnvironment({ path, temporary }: { path: string; temporary: string }): Record<string, string> {
  const { name, home, shell } = ownUser();
  return {
    PATH: path,
    HOME: home,
    USER: name,
    LOGNAME: name,
    SHELL: shell,
    TMPDIR: temporary,
  };
}

function warningOf(): string {
  const { name } = ownUser();
  return `This runner isolates nothing: jobs run as processes of the user ${name} and can do everything that ${name} can, such as reading the runner's credential and other jobs. Take jobs of repositories that you trust only.`;
}

/** Throws where a filter is required, since there is none. */
function egressOf({ mode }: Pick<EgressSettings, "mode">): EgressReport {
  if (mode === "required")
    throw new Error(
      `FORGELINE_RUNNER_EGRESS=required cannot be fulfilled: ${withoutIsolation}. Set it to open.`,
    );
  if (mode === "open") return { state: "open", reason: null, allow: [] };
  return { state: "unfiltered", reason: `${withoutIsolation}.`, allow: [] };
}
