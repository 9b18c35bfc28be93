/**
 * The command line as a user runs it, with a home of its own: as a process, or, for the many commands of which only what they
 * say is of interest, called within the test's own process.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCommandLine } from "./call-command-line.ts";
import { compileCache } from "./compile-cache.ts";
import { programFile } from "./program-bundles.ts";

const program = programFile("cli/main.ts");

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  child: ChildProcessWithoutNullStreams;
  stdout(): string;
  stderr(): string;
  finished: Promise<CommandResult>;
}

export interface CommandLine {
  home: string;
  start(args: readonly string[], options?: CommandOptions): RunningCommand;
  run(args: readonly string[], options?: CommandOptions): Promise<CommandResult>;
  /** The same without a process, input or a terminal. For commands that start no program themselves. */
  call(args: readonly string[], env?: Record<string, string>): Promise<CommandResult>;
  remove(): Promise<void>;
}

export interface CommandOptions {
  input?: string;
  cwd?: string;
  env?: Record<string, string>;
  /** On a terminal of 100 columns, made by `script`. */
  terminal?: boolean;
  /** Typed on that terminal once the output contains `after`, instead of `input`. */
  typed?: { after: string; text: string };
}

/** `env` is added to PATH and HOME, for example the address and token of an instance. */
export async function commandLine(env: Record<string, string>, file = program): Promise<CommandLine> {
  const home = await mkdtemp(join(tmpdir(), "forgeline-cli-"));
  const start: CommandLine["start"] = (args, options = {}) => {
    const command = [process.execPath, file, ...args];
    const [name, ...rest] = options.terminal
      ? ["script", "-qec", `stty cols 100; exec ${command.map(quoted).join(" ")}`, "/dev/null"]
      : command;
    const child = spawn(name ?? "", rest, {
      cwd: options.cwd ?? home,
      env: { PATH: process.env["PATH"], HOME: home, ...compileCache, ...env, ...options.env },
    });
    const parts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8");
      child[name].on("data", (text: string) => (parts[name] += text));
    }
    child.stdin.on("error", () => undefined);
    if (options.typed) typeOnce(child, options.typed);
    else child.stdin.end(options.input ?? "");
    const finished = new Promise<CommandResult>((resolve) => {
      child.once("close", (code) => resolve({ code, ...parts }));
    });
    return { child, stdout: () => parts.stdout, stderr: () => parts.stderr, finished };
  };
  return {
    home,
    start,
    run: (args, options) => start(args, options).finished,
    call: (args, more) =>
      callCommandLine(args, { home, env: { PATH: process.env["PATH"], HOME: home, ...env, ...more } }),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function typeOnce(child: ChildProcessWithoutNullStreams, typed: { after: string; text: string }): void {
  let seen = "";
  const look = (text: string) => {
    seen += text;
    if (!seen.includes(typed.after)) return;
    child.stdout.off("data", look);
    child.stdin.write(typed.text);
  };
  child.stdout.on("data", look);
}
