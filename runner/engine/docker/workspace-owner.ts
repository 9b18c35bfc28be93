/** Whose the files of a workspace are: the image's user's while steps run, and readable for the runner before and after. */
import { EngineError } from "../engine.ts";
import type { EngineContext } from "./context.ts";
import { walkMounted } from "./helper.ts";
import type { JobSet } from "./job-set.ts";

export interface WorkspaceParts {
  context: EngineContext;
  set: JobSet;
}

const ownTimeoutMs = 120_000;

/**
 * By process 1 of the job's own container where the image's user is root there, else by whoever may. No program of the
 * image has run yet, so nothing in the tree can be a trap; links are given away and not their targets all the same.
 */
export async function giveWorkspaceToUser(
  { context, set }: WorkspaceParts,
  signal: AbortSignal,
): Promise<void> {
  const { ready } = await set.supervisor.journal();
  if (ready === null) throw new EngineError("internal", "The step supervisor did not report its user.");
  const { uid, gid } = ready;
  // A rootless daemon has other numbers for users: there even the same ones are somebody else.
  const { isRootless } = await context.daemonFacts();
  const isOurs = !isRootless && uid === process.getuid?.() && gid === process.getgid?.();
  // In a shared one there are files of the users of other jobs.
  if (isOurs && set.record.workspaceKey === null) return;
  if (process.getuid?.() !== 0 && uid === 0 && (await set.supervisor.ownWorkspace(signal))) return;
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
