/**
 * What the launcher keeps and says of each child: its log file, its pid for the next start, its deaths, and when it is
 * ready again after one.
 */
import type { Console } from "./console.ts";
import type { HomePaths } from "./home.ts";
import { rememberProcess } from "./stale-processes.ts";
import { openProcessLog } from "./process-log.ts";
import type { ProcessObserver } from "./supervisor.ts";
import { waitFor } from "./wait-for.ts";

export interface ObservedProcess extends ProcessObserver {
  logPath: string;
}

export interface ObserverOptions {
  paths: HomePaths;
  console: Console;
  /** Ends the wait for a process that died. */
  signal: AbortSignal;
  /** Called at each start after the first. */
  onRestart?: () => void;
}

/** `probe` tells whether the process does its work. */
export async function observeProcess(
  options: ObserverOptions,
  name: string,
  probe: () => Promise<true | undefined>,
): Promise<ObservedProcess> {
  const { paths, console, signal } = options;
  const log = await openProcessLog(paths.logs, name);
  let deaths = 0;
  return {
    logPath: log.path,
    onLine: log.line,
    onStart(pid) {
      rememberProcess(paths.processes, name, pid);
      if (deaths === 0) return;
      options.onRestart?.();
      const death = deaths;
      waitFor(probe, { what: `${name}'s return`, timeoutMs: 90_000, intervalMs: 100, signal }).then(
        () => death === deaths && console.ready(name, "ready again"),
        () => undefined,
      );
    },
    onDeath(how) {
      deaths++;
      console.problem(name, `exited (${how}); restarting it; log: ${log.path}`);
    },
  };
}
