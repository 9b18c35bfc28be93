/** One process that starts programs for all servers within a test process: each of its own would take 0.3 s to start. */
import {
  createProcessStarter,
  type ProcessStarter,
} from "@forgeline/server/platform/processes/process-starter.ts";
import type { StartedProcess } from "@forgeline/server/platform/processes/started-process.ts";

let shared: ProcessStarter | undefined;

/** As one of its own: closing it ends what it has started, and nothing starts by it any more. */
export function shareStarter(): ProcessStarter {
  const running = new Set<StartedProcess>();
  let isClosed = false;
  return {
    async start(request) {
      if (isClosed) throw new Error("no more programs are started");
      shared ??= createProcessStarter();
      const child = await shared.start(request);
      running.add(child);
      void child.exited.then(() => running.delete(child));
      return child;
    },
    close() {
      isClosed = true;
      for (const child of running) child.kill();
    },
  };
}
