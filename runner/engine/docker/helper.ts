/**
 * What a runner that is not root cannot do to files of other users, a short-lived container does: root inside, no network,
 * no program but our own, and nothing of the machine but what containers of that one job could write anyway. It changes
 * files only while no step runs; else it counts, and has all read-only.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { outcomeOf, walkTree, type TreeOutcome } from "../../init/trees.ts";
import { installInit } from "../../init/program.ts";
import { initDirectory, mountedDirectory, workspaceDirectory, type EngineContext } from "./context.ts";
import { createFreshContainer } from "./create-fresh.ts";
import { createOptions, helperLimits, type ContainerLimits, type ContainerMount } from "./create-options.ts";
import { engineError } from "./daemon.ts";
import { plainLimits } from "./job-limits.ts";
import { labelsOf } from "./labels.ts";
import { lastOutput } from "./last-output.ts";
import { removeWithRetries } from "./remove-with-retries.ts";

export type TreeTask = readonly ["remove"] | readonly ["own", string, string];

export interface TreeRequest {
  jobKey: string;
  /** The workspace alone, or all that containers of the job may change. */
  directory: "workspace" | "all";
  task: TreeTask;
  timeoutMs: number;
}

function directoryOf(context: EngineContext, { jobKey, directory }: TreeRequest): string {
  return directory === "all" ? mountedDirectory(context, jobKey) : workspaceDirectory(context, jobKey);
}

/**
 * By this process where its user may; what it may not, by a container, as are owners where the daemon has other numbers for
 * users than the machine. Rejects when the daemon refuses that.
 */
export async function walkMounted(context: EngineContext, request: TreeRequest): Promise<TreeOutcome> {
  if (request.task[0] === "own" && (await context.daemonFacts()).isRootless)
    return walkInContainer(context, request);
  const program = await installInit(initDirectory(context));
  const words = [...request.task, directoryOf(context, request)] as Parameters<typeof walkTree>[1];
  const outcome = await walkTree(program, words, request.timeoutMs);
  return outcome.kind === "denied" ? walkInContainer(context, request) : outcome;
}

function walkInContainer(context: EngineContext, request: TreeRequest): Promise<TreeOutcome> {
  const mount: ContainerMount = { source: directoryOf(context, request), target: "/job", readOnly: false };
  const { jobKey, task, timeoutMs } = request;
  return runHelper(context, { jobKey, words: [...task, mount.target], mounts: [mount], timeoutMs });
}

/** What all these directories take together. Rejects when the daemon refuses, as where one of them is gone. */
export async function countInContainer(
  context: EngineContext,
  request: { jobKey: string; directories: readonly string[]; timeoutMs: number },
): Promise<TreeOutcome> {
  const mounts = request.directories.map((source, index): ContainerMount => ({
    source,
    target: `/job/${index}`,
    readOnly: true,
  }));
  const { jobKey, timeoutMs } = request;
  const words = ["usage", ...mounts.map(({ target }) => target)];
  return runHelper(context, { jobKey, words, mounts, timeoutMs });
}

/**
 * Whether the daemon starts a container that is limited as those of jobs are. null if it does; otherwise what a job would be told.
 * Never rejects.
 */
export async function tryLimits(context: EngineContext): Promise<string | null> {
  const jobKey = `forgeline-trial-${randomBytes(8).toString("hex")}`;
  context.active.add(jobKey);
  try {
    const limits = plainLimits(context.limits);
    await runHelper(context, { jobKey, words: ["usage", "/init"], mounts: [], limits, timeoutMs: 30_000 });
    return null;
  } catch (error) {
    return engineError(error).message;
  } finally {
    context.active.delete(jobKey);
  }
}

interface HelperRun {
  jobKey: string;
  /** For `forgeline-init`. */
  words: readonly string[];
  mounts: readonly ContainerMount[];
  timeoutMs: number;
  /** Absent: those of helpers. */
  limits?: ContainerLimits;
}

async function runHelper(context: EngineContext, run: HelperRun): Promise<TreeOutcome> {
  const { daemon, runnerId } = context;
  const { jobKey } = run;
  const options = createOptions({
    name: `${jobKey}-helper-${run.words[0] ?? ""}`,
    imageId: await context.ownImage.id(),
    user: "0:0",
    labels: labelsOf({ runnerId, leaseKey: jobKey, jobKey }, "helper"),
    network: null,
    isClosed: false,
    isPrivileged: false,
    alias: null,
    extraHosts: [],
    mounts: run.mounts,
    limits: run.limits ?? helperLimits,
    entrypoint: ["/init", ...run.words],
    command: [],
    env: {},
    workingDir: "/",
    healthCheck: "none",
    logBytes: 65_536,
  });
  const container = await createFreshContainer(context, options, new AbortController().signal);
  try {
    await daemon.ask(() => container.start());
    const ended = (await Promise.race([
      daemon.ask(() => container.wait()),
      delay(run.timeoutMs, null, { ref: false }),
    ])) as { StatusCode: number } | null;
    if (ended === null) return { kind: "late", text: "" };
    return { kind: outcomeOf(ended.StatusCode), text: await lastOutput(daemon, container, 3) };
  } finally {
    await removeWithRetries(context, () => container.remove({ force: true, v: true }));
  }
}
