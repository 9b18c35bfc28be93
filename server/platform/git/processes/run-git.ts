/**
 * The one place that starts Git. No shell, no terminal, no configuration but ours: it comes from the environment, so a planted
 * `~/.gitconfig`, `/etc/gitconfig` or alias has no effect. Hooks come from our own read-only directory.
 */
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { lockHolding } from "../storage/kept-locks.ts";
import type { LiveProcesses } from "../../live-processes.ts";
import { lowerPriority } from "../../processes/lower-priority.ts";
import { createProcessStarter, type ProcessStarter } from "../../processes/process-starter.ts";
import { startProcess } from "../../processes/start-process.ts";
import type { Stdio, StartedProcess } from "../../processes/started-process.ts";
import type { GitAdmission } from "./admission.ts";
import { certificateConfiguration } from "../transfer/certificate-nonce.ts";
import type { SlowClient } from "./slow-clients.ts";

const hooksDirectory = fileURLToPath(new URL("../hooks/", import.meta.url));
/** As `core.hooksPath`: the same hooks, and one that Git asks before it moves each ref. */
export const eachRefHooksDirectory = fileURLToPath(new URL("../hooks-each-ref/", import.meta.url));

/**
 * Of a push: where its hooks find us, and the largest piece of memory that its programs may request at once, which an object that
 * claims to be huge, or a delta that makes it so, does not get.
 */
export const pushEnvironment = { FORGELINE_PUSH: "3", GIT_ALLOC_LIMIT: "1g" };

export interface GitOptions {
  /** Of one push, before deltas are resolved. */
  maxPushBytes: number;
  /** 32 bytes, the same for all servers of the instance; without it no push is asked to be signed. */
  certificateKey?: () => Buffer;
  /** Program to start; the first `git` of PATH. */
  program?: string;
  /** The starter of processes, closed with this; creates one if none is given. */
  starter?: ProcessStarter;
  /** Of the process that starts it: it counts as there for as long as a Git lives that moves refs for a push. */
  presence?: LiveProcesses;
  /** Every process is admitted here first. */
  admission: GitAdmission;
}

export interface GitStart {
  /** The bare repository. */
  directory: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Handles 0 to 2; pipes by default. */
  stdio?: Stdio;
  /** A socket as file descriptor 3, which Git's children inherit too. */
  inheritsFd3?: boolean;
  /** The whole process group is killed. */
  signal?: AbortSignal;
  /** The client that reads its output, if that client may be too slow for the slot. */
  client?: SlowClient;
  timeoutMs?: number;
  /** Takes signed pushes: announces a word that certificates must name, or checks it. */
  takesCertificates?: boolean;
  /** Lower priority than answers that people wait for, if necessary. */
  yields?: boolean;
  /** Lower priority than anything that people wait for. */
  background?: boolean;
  /** Ends by itself and waits for nobody: our own question, whose answer is read at once. */
  isQuestion?: boolean;
  /** Belongs to the shared pool that reads objects. */
  isReader?: boolean;
  /** Talks to somebody else's server. */
  isRemote?: boolean;
}

export interface GitRun extends Omit<GitStart, "stdio" | "inheritsFd3"> {
  input?: string | Buffer;
  /** More output than this is an error. */
  maxOutputBytes?: number;
  /** Exit codes that are answers, not failures; 0 alone by default. */
  acceptExitCodes?: readonly number[];
}

export interface GitResult {
  exitCode: number;
  stdout: Buffer;
  stderr: string;
}

/** Git ended with an unexpected exit code, by a signal, or printed too much. */
export class GitError extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(command: string, exitCode: number | null, stderr: string) {
    super(`git ${command} failed (${exitCode ?? "killed"}): ${stderr.trim().slice(0, 500)}`);
    this.name = "GitError";
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** Runs to the end and returns the output. Throws `GitError`, or the signal's reason. */
export type RunGit = (run: GitRun) => Promise<GitResult>;
/**
 * Starts the process and returns it; the caller reads and writes its handles. Rejects if it cannot be started, with
 * `unavailable` if it is not admitted, or with the signal's reason.
 */
export type StartGit = (start: GitStart) => Promise<StartedProcess>;

/** One configuration for every repository; comments say what each guards. */
function configuration(options: GitOptions): [string, string][] {
  return [
    ["core.hooksPath", hooksDirectory],
    // Objects and refs reach the disk before Git continues; the directories by `syncRefs`.
    ["core.fsync", "objects,derived-metadata,reference"],
    ["core.fsyncMethod", "fsync"],
    ["core.logAllRefUpdates", "false"],
    ["core.fsmonitor", "false"],
    // Names no refs. One word, so that Git needs no shell for it: each push calls it.
    ["core.alternateRefsCommand", "true"],
    ["safe.bareRepository", "explicit"],
    ["transfer.fsckObjects", "true"],
    ["transfer.hideRefs", "refs/internal"],
    ["transfer.advertiseSID", "false"],
    ["receive.maxInputSize", String(options.maxPushBytes)],
    ["receive.advertisePushOptions", "true"],
    ["receive.advertiseAtomic", "true"],
    // Signatures of pushes are checked by us, against the keys that we know; Git starts nothing for them.
    ["gpg.program", "false"],
    ["gpg.x509.program", "false"],
    ["gpg.ssh.program", "false"],
    ["receive.autogc", "false"],
    ["receive.denyDeleteCurrent", "refuse"],
    ["receive.updateServerInfo", "false"],
    ["uploadpack.allowFilter", "true"],
    // A job fetches its commit by id, also when its branch has gone on. (`allowAnySHA1InWant=false` must not stand
    // here: Git reads it as taking this back.)
    ["uploadpack.allowReachableSHA1InWant", "true"],
    // Its argument is any expression that names an object, so also one that nobody may read.
    ["uploadpackfilter.sparse:oid.allow", "false"],
    ["protocol.allow", "never"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["pack.threads", "1"],
    // Memory limits of one Git process: the search for deltas, the results it keeps, and files that it loads whole.
    ["pack.windowMemory", "128m"],
    ["pack.deltaCacheSize", "64m"],
    ["core.bigFileThreshold", "64m"],
    ["pack.writeReverseIndex", "true"],
    ["submodule.recurse", "false"],
    ["init.templateDir", ""],
    ["user.useConfigOnly", "true"],
  ];
}

function environment(entries: readonly [string, string][]): Record<string, string> {
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: "/nonexistent",
    LC_ALL: "C",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    ...inEnvironment(entries, 0),
  };
  return env;
}

/** Configuration that comes behind `before` other entries. */
function inEnvironment(entries: readonly [string, string][], before: number): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(before + entries.length) };
  for (const [index, [key, value]] of entries.entries()) {
    env[`GIT_CONFIG_KEY_${before + index}`] = key;
    env[`GIT_CONFIG_VALUE_${before + index}`] = value;
  }
  return env;
}

export interface Git {
  run: RunGit;
  start: StartGit;
  /** Admits processes that feed each other as one. Throws as `start`. */
  together<T>(directory: string, work: () => Promise<T>): Promise<T>;
  close(): void;
}

export function createGit(options: GitOptions): Git {
  const entries = configuration(options);
  const base = environment(entries);
  const { certificateKey } = options;
  const forCertificates = ({ takesCertificates, directory }: GitStart) =>
    takesCertificates && certificateKey
      ? inEnvironment(certificateConfiguration(certificateKey(), directory), entries.length)
      : {};
  const starter = options.starter ?? createProcessStarter();
  const start: StartGit = async (request) => {
    const { directory, args, stdio = ["pipe", "pipe", "pipe"] } = request;
    const env = { ...base, ...forCertificates(request), ...request.env, GIT_DIR: directory };
    const leave = await options.admission.admit(request);
    const yields = request.yields ?? (request.isQuestion && options.admission.isCrowded());
    const what = {
      program: options.program ?? "git",
      args,
      directory,
      env,
      stdio,
      niceness: nicenessOf({ ...request, yields }),
    };
    try {
      const child = await (request.inheritsFd3
        ? startProcess({ ...what, inherits: options.presence?.fd })
        : starter.start({ ...what, ...lockHolding(what, options.presence) }));
      void child.exited.finally(leave);
      stopWhenAsked(child, request);
      return child;
    } catch (error) {
      leave();
      throw error;
    }
  };
  return {
    start,
    run: (request) => runToEnd(start, request),
    together: (directory, work) => options.admission.together(directory, work),
    close: () => starter.close(),
  };
}

function nicenessOf({ background, yields }: { background?: boolean; yields?: boolean | undefined }): number {
  if (background) return constants.priority.PRIORITY_LOW;
  return yields ? yieldingNiceness : constants.priority.PRIORITY_NORMAL;
}

const yieldingNiceness = constants.priority.PRIORITY_BELOW_NORMAL;

/** As `yields`, once it is known how much there is to do; also for the programs that it starts from now on. */
export function yieldToOthers(child: StartedProcess): void {
  lowerPriority(child.pid, yieldingNiceness);
}

function stopWhenAsked(child: StartedProcess, request: GitStart): void {
  const kill = () => child.kill();
  const timer = request.timeoutMs === undefined ? undefined : setTimeout(kill, request.timeoutMs);
  request.signal?.addEventListener("abort", kill, { once: true });
  if (request.signal?.aborted) kill();
  void child.closed.then(() => {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", kill);
  });
}

const defaultTimeoutMs = 60_000;
const defaultMaxOutputBytes = 16 * 1024 * 1024;

async function runToEnd(start: StartGit, request: GitRun): Promise<GitResult> {
  const child = await start({ timeoutMs: defaultTimeoutMs, isQuestion: true, ...request });
  const command = request.args[0] ?? "";
  const output: Buffer[] = [];
  const problems: Buffer[] = [];
  let size = 0;
  let tooMuch = false;
  child.stdout?.on("data", (chunk: Buffer) => {
    size += chunk.length;
    tooMuch = size > (request.maxOutputBytes ?? defaultMaxOutputBytes);
    if (tooMuch) child.kill();
    else output.push(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    if (problems.length < 64) problems.push(chunk);
  });
  // Git may end before it has read everything; its exit code says why.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(request.input ?? "");
  const exitCode = await child.closed;
  const stderr = Buffer.concat(problems).toString("utf8");
  if (request.signal?.aborted) throw request.signal.reason as Error;
  if (tooMuch) throw new GitError(command, null, "more output than allowed");
  if (exitCode === null || !(request.acceptExitCodes ?? [0]).includes(exitCode))
    throw new GitError(command, exitCode, stderr);
  return { exitCode, stdout: Buffer.concat(output), stderr };
}
