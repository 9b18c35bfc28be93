/** `npm run stop`: ends the instance of this home, and what a killed launcher left of it, and waits until all is gone. */
import { loadLauncherConfig } from "./config.ts";
import { createConsole } from "./console.ts";
import { pathsIn, releaseHome, runningLauncher } from "./home.ts";
import { endStaleProcesses } from "./stale-processes.ts";
import { identityOf, isSameProcess } from "./process-identity.ts";
import { waitFor } from "./wait-for.ts";

const console = createConsole();
try {
  const paths = pathsIn(loadLauncherConfig().home);
  const pid = await runningLauncher(paths);
  if (pid) {
    // It gives its home free a moment before it is gone.
    const identity = identityOf(pid) ?? "";
    process.kill(pid, "SIGTERM");
    await waitFor(async () => (isSameProcess(identity) ? undefined : true), {
      what: "the end of the instance",
      timeoutMs: 120_000,
    });
  }
  const ended = await endStaleProcesses(paths.processes, { keepJobs: false });
  if (!pid) await releaseHome(paths);
  if (ended.length > 0)
    console.ready("forgeline", `ended processes of an earlier start: ${ended.join(", ")}`);
  else if (pid) console.ready("forgeline", "stopped");
  else console.say("forgeline", `nothing is running in ${paths.root}`);
} catch (error) {
  console.problem("failed", (error as Error).message);
  process.exitCode = 1;
}
