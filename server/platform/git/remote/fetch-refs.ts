/** Fetches refs of a source into a scratch repository, and ends what is too large or too slow. */
import { GitError, pushEnvironment, type StartGit } from "../processes/run-git.ts";
import type { Remote } from "./open-remote.ts";
import { listenTo } from "./remote-output.ts";
import { fetchedName, type ScratchRepository } from "./scratch-repository.ts";

export interface FetchLimits {
  /** Of all that is received. */
  maxBytes: number;
  /** In which at least `minBytes` have to come, while objects are received. */
  windowMs: number;
  minBytes: number;
  wholeMs: number;
}

export interface FetchWatch {
  signal: AbortSignal;
  limits: FetchLimits;
  /** About once a second: bytes received, without those of before. */
  onProgress(progress: { bytes: number; isChecking: boolean }): void;
}

/** We ended it. */
export class FetchLimitError extends Error {
  readonly reason: "too_large" | "too_slow";
  constructor(reason: FetchLimitError["reason"]) {
    super(reason);
    this.name = "FetchLimitError";
    this.reason = reason;
  }
}

const lookMs = 1_000;
/** What comes after the last object is our own work, which takes what it takes. */
const checking = /Receiving objects: 100%|Resolving deltas/;
const { GIT_ALLOC_LIMIT } = pushEnvironment;

/**
 * The refs are in the scratch repository then, with everything that they reach, checked as what is pushed. Throws `GitError` with
 * the last of what Git said, `FetchLimitError`, or the signal's reason.
 */
export async function fetchRefs(
  startGit: StartGit,
  remote: Remote,
  { scratch, refs, watch }: { scratch: ScratchRepository; refs: readonly string[]; watch: FetchWatch },
): Promise<void> {
  const child = await startGit({
    directory: scratch.directory,
    args: [
      ...remote.options,
      "-c",
      "fetch.unpackLimit=1",
      "-c",
      "pack.threads=2",
      "fetch",
      "--progress",
      "--stdin",
      "--refmap=",
      "--no-tags",
      "--no-prune",
      "--no-write-fetch-head",
      "--no-recurse-submodules",
      "--no-auto-maintenance",
      "--",
      remote.url,
    ],
    env: { ...remote.env, GIT_ALLOC_LIMIT },
    stdio: ["pipe", "ignore", "pipe"],
    signal: watch.signal,
    timeoutMs: watch.limits.wholeMs,
    isRemote: true,
    yields: true,
  });
  const said = listenTo(child.stderr!, checking);
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(refs.map((ref) => `+${ref}:${fetchedName(ref)}\n`).join(""));
  const limit = watchOver(scratch, watch, { isChecking: said.hasSeen, kill: () => child.kill() });
  const exitCode = await child.closed;
  const broken = limit.stop();
  watch.signal.throwIfAborted();
  if (broken) throw new FetchLimitError(broken);
  if (exitCode === null) throw new FetchLimitError("too_slow");
  // It may all have come between two looks.
  if ((await scratch.receivedBytes()) > watch.limits.maxBytes) throw new FetchLimitError("too_large");
  if (exitCode !== 0) throw new GitError("fetch", exitCode, said.problems());
}

/** Looks at what has come, until stopped; then says whether it was ended, and why. */
function watchOver(
  scratch: ScratchRepository,
  { limits, onProgress }: FetchWatch,
  child: { isChecking(): boolean; kill(): void },
) {
  let broken: FetchLimitError["reason"] | undefined;
  let before: number | undefined;
  let windowBytes = 0;
  let windowEnds = performance.now() + limits.windowMs;
  const end = (reason: FetchLimitError["reason"]) => {
    broken ??= reason;
    child.kill();
  };
  async function look(): Promise<void> {
    const all = await scratch.receivedBytes();
    before ??= all;
    const bytes = Math.max(0, all - before);
    onProgress({ bytes, isChecking: child.isChecking() });
    if (all > limits.maxBytes) end("too_large");
    if (performance.now() < windowEnds || child.isChecking()) return;
    if (bytes - windowBytes < limits.minBytes) end("too_slow");
    windowBytes = bytes;
    windowEnds = performance.now() + limits.windowMs;
  }
  const timer = setInterval(() => void look(), lookMs);
  void look();
  return {
    stop() {
      clearInterval(timer);
      return broken;
    },
  };
}
