/** What the launcher keeps and says of each child: its log file, its pid for the next start, and its deaths. */
import type { Console } from "./console.ts";
import type { HomePaths } from "./home.ts";
import { rememberProcess } from "./leftovers.ts";
import { openProcessLog } from "./process-log.ts";
import type { ProcessObserver } from "./supervisor.ts";

export interface ObservedProcess extends ProcessObserver {
  logPath: string;
}

export async function observeProcess(
  paths: HomePaths,
  console: Console,
  name: string,
): Promise<ObservedProcess> {
  const log = await openProcessLog(paths.logs, name);
  return {
    logPath: log.path,
    onLine: log.line,
    onStart: (pid) => void rememberProcess(paths.processes, name, pid),
    onDeath: (how) => console.problem(name, `died (${how}); starting it again; log: ${log.path}`),
  };
}
