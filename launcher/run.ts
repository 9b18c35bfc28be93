/** Runs a program to its end; the output is kept for the error message. */
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";

export class CommandError extends Error {
  readonly exitCode: number | null;
  readonly output: string;
  constructor(command: string, exitCode: number | null, output: string) {
    super(`${command} failed (exit ${exitCode ?? "by signal"}): ${output.trim().slice(-2000)}`);
    this.name = "CommandError";
    this.exitCode = exitCode;
    this.output = output;
  }
}

export interface RunOptions extends Omit<SpawnOptions, "signal" | "stdio" | "detached"> {
  /** Ends the program and all that it started; `run` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called with each line of standard output and error, for progress. */
  onLine?: (line: string) => void;
  input?: string;
}

/** Resolves with standard output; rejects with `CommandError`, or with the spawn error when the program is absent. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { onLine, input, signal, ...spawnOptions } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // A process group of its own, so that ending it reaches what it started too.
    const child = spawn(command, args, {
      ...spawnOptions,
      stdio: ["pipe", "pipe", "pipe"],
      detached: signal !== undefined,
    });
    const forget = endOnAbort(child, signal);
    let stdout = "";
    let all = "";
    let rest = "";
    const take = (chunk: Buffer, isOut: boolean) => {
      const text = chunk.toString();
      if (isOut) stdout += text;
      all = (all + text).slice(-20_000);
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine?.(line);
    };
    child.stdout?.on("data", (chunk: Buffer) => take(chunk, true));
    child.stderr?.on("data", (chunk: Buffer) => take(chunk, false));
    child.on("error", (error) => {
      forget();
      reject(error);
    });
    child.on("close", (code) => {
      forget();
      if (signal?.aborted) reject(signal.reason as Error);
      else if (code === 0) resolve(stdout);
      else reject(new CommandError([command, ...args.slice(0, 2)].join(" "), code, all));
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

const endWithinMs = 5_000;

/** Asks the child's group to end when `signal` is aborted, and kills it when it does not. Returns how to forget it. */
function endOnAbort(child: ChildProcess, signal: AbortSignal | undefined): () => void {
  let killer: NodeJS.Timeout | undefined;
  const send = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It ended by itself in this moment.
    }
  };
  const end = () => {
    send("SIGINT");
    killer = setTimeout(() => send("SIGKILL"), endWithinMs);
  };
  signal?.addEventListener("abort", end, { once: true });
  return () => {
    signal?.removeEventListener("abort", end);
    clearTimeout(killer);
  };
}

/** Where `program` lies on PATH; undefined when it is not there. */
export async function which(
  program: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const { access, constants } = await import("node:fs/promises");
  for (const directory of [...(env["PATH"] ?? "").split(":"), "/usr/sbin", "/sbin", "/usr/local/go/bin"]) {
    if (!directory) continue;
    const path = `${directory}/${program}`;
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return undefined;
}
