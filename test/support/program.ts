/** One of our programs as a child process of a test: started, killed, frozen and started again at will. */
import { spawn, type ChildProcess } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";

export interface ProgramSpec {
  name: string;
  /** Script and arguments, relative to the checkout. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Where its log goes. */
  directory: string;
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
  /** Sends `name`, resolves with the exit code when the process is gone; null after a signal's death. */
  end(name: NodeJS.Signals): Promise<number | null>;
  /** Starts it again, with further environment if given. */
  start(env?: Record<string, string>): void;
  /** Resolves with the exit code of the running process. */
  exited(): Promise<number | null>;
}

/** A test that failed before it could end its programs must not leave them running. */
const atExit = new Set<() => void>();
process.once("exit", () => {
  for (const end of atExit) end();
});

export function startProgram(spec: ProgramSpec): Program {
  const logFile = join(spec.directory, `${spec.name}.log`);
  let child: ChildProcess;
  let exit: Promise<number | null>;

  const start = (env: Record<string, string> = {}) => {
    const log = openSync(logFile, "a");
    child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...spec.args], {
      env: { ...spec.env, ...env },
      stdio: ["ignore", log, log],
    });
    exit = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
  };
  start();
  atExit.add(() => child.kill("SIGKILL"));

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
    end(name) {
      child.kill(name);
      return exit;
    },
    start,
    exited: () => exit,
  };
}
