/**
 * What a runner that is not root cannot do to files of other users, a short-lived container does: root inside, no network,
 * no program but our own, and nothing of the machine but what containers of that one job could write anyway. Only before a
 * job's first step or after its last, or to measure.
 */
import { setTimeout as delay } from "node:timers/promises";
import { outcomeOf, walkTree, type TreeOutcome } from "../../init/trees.ts";
import { placeInit } from "../../init/program.ts";
import { initDirectory, mountedDirectory, workspaceDirectory, type EngineContext } from "./context.ts";
import { createFreshContainer } from "./create-fresh.ts";
import { createOptions, helperLimits } from "./create-options.ts";
import { labelsOf } from "./labels.ts";
import { lastWords } from "./last-words.ts";
import { removeForSure } from "./remove-for-sure.ts";

export type TreeTask = readonly ["remove"] | readonly ["usage"] | readonly ["own", string, string];

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
  const program = await placeInit(initDirectory(context));
  const words = [...request.task, directoryOf(context, request)] as Parameters<typeof walkTree>[1];
  const outcome = await walkTree(program, words, request.timeoutMs);
  return outcome.kind === "denied" ? walkInContainer(context, request) : outcome;
}

async function walkInContainer(context: EngineContext, request: TreeRequest): Promise<TreeOutcome> {
  const { daemon, runnerId } = context;
  const { jobKey } = request;
  const options = createOptions({
    name: `${jobKey}-helper-${request.task[0]}`,
    imageId: await context.ownImage.id(),
    user: "0:0",
    labels: labelsOf({ runnerId, leaseKey: jobKey, jobKey }, "helper"),
    network: null,
    alias: null,
    extraHosts: [],
    mounts: [{ source: directoryOf(context, request), target: "/job", readOnly: false }],
    limits: helperLimits,
    entrypoint: ["/init", ...request.task, "/job"],
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
      delay(request.timeoutMs, null, { ref: false }),
    ])) as { StatusCode: number } | null;
    if (ended === null) return { kind: "late", text: "" };
    return { kind: outcomeOf(ended.StatusCode), text: await lastWords(daemon, container, 3) };
  } finally {
    await removeForSure(context, () => container.remove({ force: true, v: true }));
  }
}
