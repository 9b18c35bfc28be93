/**
 * Runs the host's own `git` for a job, shut off from the host's configuration: no system or user files, no hooks,
 * no prompts, nothing but http. The token travels in the environment only, never in arguments or files.
 */
import { spawn } from "node:child_process";

export interface GitAccess {
  /** Environment that programs need here at all: `PATH` and proxies. */
  baseEnv: Readonly<Record<string, string>>;
  url: string;
  /** The job's own token; any user name goes with it. null for servers that are not ours. */
  token: string | null;
  /** PEM file of the server's authority; null trusts the system's. */
  caFile: string | null;
  /** Where the url's host is, as `HOST:PORT:ADDRESS`, so that a second answer to its name counts for nothing. Known to Git from 2.37 on. */
  pinned?: string;
}

export class GitError extends Error {
  readonly exitCode: number | null;
  constructor(message: string, exitCode: number | null) {
    super(message);
    this.name = "GitError";
    this.exitCode = exitCode;
  }
}

const maxMessageBytes = 4096;

export interface GitCall {
  cwd: string;
  args: readonly string[];
  /** What git reads. */
  input?: Buffer;
  signal: AbortSignal;
}

/** Throws `GitError` with what git said, or the abort reason. */
export async function runGit(
  access: GitAccess,
  args: readonly string[],
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<void> {
  await askGit(access, { cwd, args, signal });
}

/** The output; throws as `runGit`. */
export function askGit(access: GitAccess, { cwd, args, input, signal }: GitCall): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, {
      cwd,
      env: gitEnv(access),
      stdio: ["pipe", "pipe", "pipe"],
      signal,
      killSignal: "SIGKILL",
    });
    let said = "";
    const output: Buffer[] = [];
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      said = (said + text).slice(-maxMessageBytes);
    });
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    // Where git ends early, its exit code and words say why.
    child.stdin.on("error", () => undefined).end(input);
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve(Buffer.concat(output));
      reject(new GitError(said.trim() || `git ${args[0]} ended with ${code}`, code));
    });
  });
}

function credentials({ token, url }: GitAccess): [string, string][] {
  if (token === null) return [];
  const basic = Buffer.from(`job:${token}`).toString("base64");
  return [[`http.${new URL(url).origin}/.extraHeader`, `Authorization: Basic ${basic}`]];
}

/** Environment of every `git` that works for a job. */
export function gitEnv(access: GitAccess): Record<string, string> {
  const settings: [string, string][] = [
    ...credentials(access),
    ...(access.pinned === undefined ? [] : [["http.curloptResolve", access.pinned] as [string, string]]),
    ["http.followRedirects", "false"],
    ["http.lowSpeedLimit", "1000"],
    ["http.lowSpeedTime", "60"],
    ["credential.helper", ""],
    ["core.hooksPath", "/dev/null"],
    ["core.fsync", "none"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["advice.detachedHead", "false"],
    ["submodule.recurse", "false"],
  ];
  const env: Record<string, string> = {
    ...access.baseEnv,
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ALLOW_PROTOCOL: "http:https",
    // Our own server has looked at what it gives; another one's pack may ask for any amount of memory.
    ...(access.token === null ? { GIT_ALLOC_LIMIT: "1g" } : {}),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_CONFIG_COUNT: `${settings.length}`,
    // It alone is trusted, as by the runner's own connection; reading the system's authorities beside it takes 40 ms.
    ...(access.caFile === null ? {} : { GIT_SSL_CAINFO: access.caFile, GIT_SSL_CAPATH: "/nonexistent" }),
  };
  settings.forEach(([key, value], i) => {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return env;
}
