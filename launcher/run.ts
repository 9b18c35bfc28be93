/** Runs a program to its end; the output is kept for the error message. */
import { execa, ExecaError, type Options } from "execa";

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

export interface RunOptions {
  cwd?: string;
  /** All that the program has of an environment; ours where nothing is said. */
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  input?: string;
  /** Ends the program and all that it started; `run` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called with each line of standard output and error, for progress. */
  onLine?: (line: string) => void;
}

/** Resolves with standard output; rejects with `CommandError`, or with the spawn error when the program is absent. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { onLine, signal, env = process.env, input = "", ...others } = options;
  signal?.throwIfAborted();
  const running = execa(command, args, { ...others, ...always, ...endedBy(signal), env, input });
  try {
    if (onLine) for await (const line of running.iterable({ from: "all" })) onLine(line);
    return (await running).stdout;
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error;
    if (error.isCanceled) throw signal?.reason;
    if (error.exitCode === undefined && error.signal === undefined) throw error.cause;
    const output = String(error.all).slice(-20_000);
    throw new CommandError([command, ...args.slice(0, 2)].join(" "), error.exitCode ?? null, output);
  }
}

const always = { all: true, cleanup: false, extendEnv: false, stripFinalNewline: false } satisfies Options;

/** Asked to end, a program that may be has a few seconds, and then is killed. */
function endedBy(signal: AbortSignal | undefined) {
  return signal && { cancelSignal: signal, killSignal: "SIGINT" as const, killDescendants: true };
}

/** Where `program` is, on PATH or in one of the directories `beside` it; undefined when it does not exist. */
export async function which(
  program: string,
  env: NodeJS.ProcessEnv = process.env,
  beside: readonly string[] = [],
): Promise<string | undefined> {
  const { access, constants } = await import("node:fs/promises");
  const places = [...(env["PATH"] ?? "").split(":"), "/usr/sbin", "/sbin", "/usr/local/go/bin", ...beside];
  for (const directory of places) {
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
