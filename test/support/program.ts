/** One of our programs as a child process of a test: started, killed, frozen and started again at will. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { nodeOptions } from "@forgeline/launcher/node-options.ts";
import { compileCache } from "./compile-cache.ts";
import { guard } from "./guard.ts";
import { programFile } from "./program-bundles.ts";
import { describeProcess } from "./stuck-program.ts";

export interface ProgramSpec {
  name: string;
  /** Script and arguments, relative to the checkout. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Where its log goes. */
  directory: string;
  /** Words before those that start it. */
  wrapper?: readonly string[];
}

export interface Program {
  name: string;
  logFile: string;
  pid(): number;
  isRunning(): boolean;
  /** Sends a signal and returns at once. */
  signal(name: NodeJS.Signals): void;
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>;
  /**
   * Sends `name`, resolves with the exit code when the process is gone; null after a signal's death. One that does not
   * go is killed, and the error tells what it was waiting for.
   */
  end(name: NodeJS.Signals): Promise<number | null>;
  /** Starts it again, with further environment and from another checkout if given. */
  start(env?: Record<string, string>, checkout?: string): void;
  /** Resolves with the exit code of the running process. */
  exited(): Promise<number | null>;
}

/** Longer than any program of ours may take to end: a server gives requests 30 s. */
const endMs = 45_000;

export function startProgram(spec: ProgramSpec): Program {
  const logFile = join(spec.directory, `${spec.name}.log`);
  let child: ChildProcess;
  let exit: Promise<number | null>;

  const [script = "", ...args] = spec.args;
  const start = (env: Record<string, string> = {}, checkout?: string) => {
    const log = openSync(logFile, "a");
    // The report tells what a process waits for that does not end; see `describeProcess`.
    const report = ["--report-on-signal", "--report-exclude-env", `--report-directory=${spec.directory}`];
    const options = ["--disable-warning=ExperimentalWarning", ...(nodeOptions[script] ?? []), ...report];
    const file = checkout === undefined ? programFile(script) : join(checkout, script);
    const [first = "", ...rest] = [...(spec.wrapper ?? []), process.execPath, ...options, file, ...args];
    child = spawn(first, rest, {
      env: { ...compileCache, ...spec.env, ...env },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    // A test that failed, or was killed, before it could end its programs must not leave them running.
    const { dismiss } = guard('kill -s KILL "$1"', String(child.pid));
    exit = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
    void exit.then(dismiss);
  };
  start();

  return {
    name: spec.name,
    logFile,
    pid: () => child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill("SIGKILL");
      await exit;
    },
    async end(name) {
      child.kill(name);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), endMs)));
      const code = await Promise.race([exit, late]);
      clearTimeout(timer);
      if (code !== "late") return code;
      const text = await describeProcess({ pid: child.pid ?? 0, directory: spec.directory, logFile });
      child.kill("SIGKILL");
      await exit;
      throw new Error(`${spec.name} did not end within ${endMs / 1000} s after ${name}:\n${text}`);
    },
    start,
    exited: () => exit,
  };
}

/** All are asked at once. Rejects with what the first that did not end was doing, when all are gone. */
export async function endAll(programs: readonly Program[], signal: NodeJS.Signals): Promise<void> {
  const ends = await Promise.allSettled(programs.map((program) => program.end(signal)));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
