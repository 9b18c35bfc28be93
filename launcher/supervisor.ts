/**
 * Keeps one child process alive: starts it, passes its output on line by line, starts it again with a growing
 * delay when it dies, and ends it when asked (TERM, then KILL).
 *
 * States: starting → running → (died → starting)* → stopping → stopped.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** What somebody who keeps an eye on a process is told. */
export interface ProcessObserver {
  onLine(line: string): void;
  /** Called at each start, with the pid. */
  onStart?(pid: number): void;
  /** Called at each unrequested exit, with its cause. */
  onDeath?(how: string): void;
}

export interface ProcessSpec {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Milliseconds between TERM and KILL at the end. */
  stopTimeoutMs: number;
  /** Signal that asks the process to end; PostgreSQL's fast shutdown is SIGINT. */
  stopSignal?: NodeJS.Signals;
  /** Signal that ends it at once; PostgreSQL's is SIGQUIT, which takes its own children along. */
  killSignal?: NodeJS.Signals;
  observer: ProcessObserver;
}

export interface SupervisedProcess {
  name: string;
  pid(): number | undefined;
  /** How often it was started again after dying. */
  restarts(): number;
  stop(): Promise<void>;
}

const firstDelayMs = 200;
const maxDelayMs = 10_000;
/** A process that lived this long starts again with the first delay. */
const healthyAfterMs = 30_000;

export function supervise(spec: ProcessSpec): SupervisedProcess {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let restarts = 0;
  let delayMs = firstDelayMs;

  async function keepAlive(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const how = await runOnce(spec, (started) => {
        child = started;
        if (started.pid !== undefined) spec.observer.onStart?.(started.pid);
      });
      child = undefined;
      if (stopping.signal.aborted) return;
      spec.observer.onDeath?.(how);
      delayMs =
        performance.now() - startedAt > healthyAfterMs ? firstDelayMs : Math.min(delayMs * 2, maxDelayMs);
      restarts++;
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const finished = keepAlive();
  const killNow = () => {
    stopping.abort();
    if (child?.pid !== undefined) killGroup(child.pid, spec.killSignal ?? "SIGKILL");
  };
  kills.add(killNow);
  return {
    name: spec.name,
    pid: () => child?.pid,
    restarts: () => restarts,
    async stop() {
      stopping.abort();
      child?.kill(spec.stopSignal ?? "SIGTERM");
      const killer = setTimeout(killNow, spec.stopTimeoutMs);
      await finished;
      clearTimeout(killer);
      kills.delete(killNow);
    },
  };
}

const kills = new Set<() => void>();

/** Kills every supervised process of this program at once, out of order; for when it must not live any longer. */
export function killSupervised(): void {
  for (const kill of kills) kill();
}

/** The process and what it started: each child leads a group of its own. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended by itself in this moment.
  }
}

function runOnce(spec: ProcessSpec, onStarted: (child: ChildProcess) => void): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(spec.command, spec.args, {
      env: spec.env,
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.gid === undefined ? {} : { gid: spec.gid }),
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group, so that Ctrl-C reaches the supervisor alone and the order of stopping is ours.
      detached: true,
    });
    onStarted(child);
    for (const stream of [child.stdout, child.stderr])
      forwardLines(stream, (line) => spec.observer.onLine(line));
    child.once("error", (error) => resolve(`could not start: ${error.message}`));
    child.once("exit", (code, signal) => resolve(signal ? `killed by ${signal}` : `exit ${code}`));
  });
}

function forwardLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = "";
  stream?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}
