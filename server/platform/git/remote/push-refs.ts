/** Pushes refs to a target, each only from the value that it was seen to have, and ends what does not come on. */
import type { RefUpdate } from "../refs/ref-update.ts";
import { zeroId } from "../refs/names.ts";
import { GitError, type StartGit } from "../processes/run-git.ts";
import type { Remote } from "./open-remote.ts";
import { readStatusLines, type PushedRef } from "./push-status.ts";
import { listenTo, type RemoteOutput } from "./remote-output.ts";

export interface PushLimits {
  /** Without any progress while objects are sent. */
  windowMs: number;
  /** For the target to take what was sent. */
  settleMs: number;
  wholeMs: number;
}

export interface PushWatch {
  signal: AbortSignal;
  limits: PushLimits;
  /** About once a second: bytes sent. */
  onProgress(bytes: number): void;
}

export interface PushedRefs {
  refs: PushedRef[];
  /** What the target said, without progress: the end of it. */
  said: string;
  bytes: number;
}

/** We ended it. */
export class PushTooSlowError extends Error {
  constructor() {
    super("too_slow");
    this.name = "PushTooSlowError";
  }
}

const lookMs = 1_000;
const sent = /^Total \d/m;
const maxStatusBytes = 16 * 1024 * 1024;

/**
 * Each ref moves or not by itself. `updates` have the values of the target as `before`; about 500 are what the arguments of a
 * program have room for. Throws `GitError` where no ref was answered for, `PushTooSlowError`, or the signal's reason.
 */
export async function pushRefs(
  startGit: StartGit,
  remote: Remote,
  { directory, updates, watch }: { directory: string; updates: readonly RefUpdate[]; watch: PushWatch },
): Promise<PushedRefs> {
  const child = await startGit({
    directory,
    args: [
      ...remote.options,
      ...options,
      ...updates.map(leaseOf),
      "--",
      remote.url,
      ...updates.map(refspecOf),
    ],
    env: remote.env,
    stdio: ["ignore", "pipe", "pipe"],
    signal: watch.signal,
    timeoutMs: watch.limits.wholeMs,
    isRemote: true,
    yields: true,
  });
  const output = listenTo(child.stderr!, sent);
  let status = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    if (status.length < maxStatusBytes) status += chunk.toString("utf8");
  });
  const slow = watchOver(output, watch, () => child.kill());
  const exitCode = await child.closed;
  const isSlow = slow.stop();
  watch.signal.throwIfAborted();
  const refs = readStatusLines(status);
  if (refs.length === 0 && (isSlow || exitCode === null)) throw new PushTooSlowError();
  if (refs.length === 0) throw new GitError("push", exitCode ?? -1, output.problems());
  return { refs, said: output.problems(), bytes: sentBytes(output.tail()) };
}

const options = [
  "-c",
  "pack.threads=2",
  "push",
  "--porcelain",
  "--progress",
  "--no-verify",
  "--no-follow-tags",
  "--no-signed",
  "--recurse-submodules=no",
];

function leaseOf({ ref, before }: RefUpdate): string {
  return `--force-with-lease=${ref}:${before === zeroId ? "" : before}`;
}

function refspecOf({ ref, after }: RefUpdate): string {
  return `${after === zeroId ? "" : after}:${ref}`;
}

/** Ends it when our own Git has said nothing new for too long; what the target says does not count. */
function watchOver(output: RemoteOutput, { limits, onProgress }: PushWatch, kill: () => void) {
  let isSlow = false;
  let last = "";
  let movedAt = performance.now();
  const timer = setInterval(() => {
    const text = output.tail();
    onProgress(sentBytes(text));
    const now = ownProgress(text);
    if (now !== undefined && now !== last) {
      last = now;
      movedAt = performance.now();
    }
    const patienceMs = output.hasSeen() ? limits.settleMs : limits.windowMs;
    if (performance.now() - movedAt < patienceMs) return;
    isSlow = true;
    kill();
  }, lookMs);
  return {
    stop() {
      clearInterval(timer);
      return isSlow;
    },
  };
}

function ownProgress(text: string): string | undefined {
  return text
    .split(/[\r\n]+/)
    .findLast((line) => /^(?:Enumerating|Counting|Compressing|Writing|Total)\b/.test(line));
}

const units = { bytes: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };
const written = /Writing objects: [^\r\n]*?, (?<count>\d+(?:\.\d+)?) (?<unit>bytes|KiB|MiB|GiB)/g;

/** As Git tells it, which rounds large numbers. */
function sentBytes(text: string): number {
  const { count, unit } = [...text.matchAll(written)].at(-1)?.groups ?? {};
  return count === undefined ? 0 : Math.round(Number(count) * units[unit as keyof typeof units]);
}
