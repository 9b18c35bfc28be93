/** The developer's own `git`, with their settings, in their working tree; it changes nothing there. */
import { spawn } from "node:child_process";
import { GitError } from "@forgeline/runner/workspace/git.ts";

export interface GitOptions {
  signal?: AbortSignal;
}

const maxMessageBytes = 4096;
/** Hooks and the refreshing of the index are the developer's own business; prompts would wait forever behind a log. */
const quiet = { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

/** What it prints. Throws `GitError` in its own words. */
export function git(
  directory: string,
  args: readonly string[],
  { signal }: GitOptions = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", ["-c", "core.hooksPath=/dev/null", ...args], {
      cwd: directory,
      env: { ...process.env, ...quiet },
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal ? { signal } : {}),
    });
    let said = "";
    const output: Buffer[] = [];
    child.stderr
      .setEncoding("utf8")
      .on("data", (text: string) => (said = (said + text).slice(-maxMessageBytes)));
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve(Buffer.concat(output));
      reject(new GitError(said.trim() || `git ${args[0] ?? ""} ended with ${code}`, code));
    });
  });
}

/** One line of text; null where git has no answer. */
export async function gitLine(directory: string, args: readonly string[]): Promise<string | null> {
  const output = await git(directory, args).catch(() => null);
  const line = output?.toString("utf8").trim() ?? "";
  return line === "" ? null : line;
}

/** Paths that git ends with NUL. */
export async function gitPaths(
  directory: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string[]> {
  const output = await git(directory, args, options);
  return output.toString("utf8").split("\0").filter(Boolean);
}
