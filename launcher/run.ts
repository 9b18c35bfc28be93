/** Runs a program to its end; the output is kept for the error message. */
import { spawn, type SpawnOptions } from "node:child_process";

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

export interface RunOptions extends SpawnOptions {
  /** Called with each line of standard output and error, for progress. */
  onLine?: (line: string) => void;
  input?: string;
}

/** Resolves with standard output; rejects with `CommandError`, or with the spawn error when the program is absent. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { onLine, input, ...spawnOptions } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...spawnOptions, stdio: ["pipe", "pipe", "pipe"] });
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
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(stdout);
      else reject(new CommandError([command, ...args.slice(0, 2)].join(" "), code, all));
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
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
