/** Whose the files of a workspace are: the image's user's while steps run, and readable for the runner before and after. */
import { EngineError, type RunningStep } from "../engine.ts";
import type { EngineContext } from "./context.ts";
import { walkMounted } from "./helper.ts";
import type { JobSet } from "./job-set.ts";

export interface WorkspaceParts {
  context: EngineContext;
  set: JobSet;
}

const ownTimeoutMs = 120_000;

export interface StepUser {
  uid: number;
  gid: number;
}

export interface WorkspaceTurns {
  /** The workspace becomes the user's of the job's own container. No program of the image has run yet. */
  ready(signal: AbortSignal): Promise<void>;
  /**
   * Before a step: the workspace becomes its user's, so that steps of different users can change each other's files. Nothing happens in a
   * job whose steps all run in its own container. While other steps run, it stays theirs.
   */
  begin(position: number, user: StepUser | null, signal: AbortSignal): Promise<void>;
  /** The same step, whose turn ends with it. */
  until(step: RunningStep): RunningStep;
}

export function createWorkspaceTurns(parts: WorkspaceParts): WorkspaceTurns {
  const { context, set } = parts;
  const running = new Set<number>();
  // Of an agent before this one nothing is known.
  let owner: string | null = null;
  return {
    async ready(signal) {
      const user = await userOf(set);
      // A rootless daemon has other numbers for users: there even the same ones are somebody else.
      const { isRootless } = await context.daemonFacts();
      const isOurs = !isRootless && user.uid === process.getuid?.() && user.gid === process.getgid?.();
      // In a shared one there are files of the users of other jobs.
      if (!isOurs || set.record.workspaceKey !== null) await give(parts, user, signal);
      owner = nameOf(user);
    },
    async begin(position, user, signal) {
      const isAlone = running.size === 0;
      running.add(position);
      if (set.record.stepContainers === 0 || user === null || !isAlone || nameOf(user) === owner) return;
      owner = null;
      await giveByWalk(parts, user, signal);
      owner = nameOf(user);
    },
    until(step) {
      running.add(step.position);
      const wait = (signal: AbortSignal) => step.wait(signal).finally(() => running.delete(step.position));
      return { ...step, wait };
    },
  };
}

function nameOf({ uid, gid }: StepUser): string {
  return `${uid}:${gid}`;
}

async function userOf(set: JobSet): Promise<StepUser> {
  const { ready } = await set.supervisor.journal();
  if (ready === null) throw new EngineError("internal", "The step supervisor did not report its user.");
  return ready;
}

/** By process 1 of the job's own container where the image's user is root there, else by whoever may. */
async function give(parts: WorkspaceParts, user: StepUser, signal: AbortSignal): Promise<void> {
  const isByContainer = process.getuid?.() !== 0 && user.uid === 0;
  if (isByContainer && (await parts.set.supervisor.ownWorkspace(signal))) return;
  await giveByWalk(parts, user, signal);
}

/** Links are given away and not their targets, so programs that earlier steps left running can lead it nowhere else. */
async function giveByWalk(
  { context, set }: WorkspaceParts,
  { uid, gid }: StepUser,
  signal: AbortSignal,
): Promise<void> {
  const { kind, text } = await walkMounted(context, {
    jobKey: set.record.workspaceKey ?? set.record.jobKey,
    directory: "workspace",
    task: ["own", String(uid), String(gid)],
    timeoutMs: ownTimeoutMs,
  });
  signal.throwIfAborted();
  if (kind !== "done")
    throw new EngineError(
      "internal",
      `The workspace could not be given to the image's user (${kind}): ${text}`,
    );
}

/** A runner that is root may read all of it. For another one, files become its own; no step runs any more that would mind. */
export async function takeWorkspace({ context, set }: WorkspaceParts): Promise<void> {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined || gid === undefined || uid === 0) return;
  // In a rootless daemon's numbers, root is the user that the daemon, and so the runner, runs as.
  const { isRootless } = await context.daemonFacts();
  const owner = isRootless ? (["0", "0"] as const) : ([String(uid), String(gid)] as const);
  const { kind, text } = await walkMounted(context, {
    jobKey: set.record.workspaceKey ?? set.record.jobKey,
    directory: "workspace",
    task: ["own", ...owner],
    timeoutMs: ownTimeoutMs,
  });
  if (kind !== "done")
    throw new EngineError("internal", `The workspace could not be made readable (${kind}): ${text}`);
}
