/** `npm run stop`: ends the instance of this home and waits until it is gone. */
import { loadLauncherConfig } from "./config.ts";
import { createConsole } from "./console.ts";
import { pathsIn, runningLauncher } from "./home.ts";
import { waitFor } from "./wait-for.ts";

const console = createConsole();
const paths = pathsIn(loadLauncherConfig().home);
const pid = await runningLauncher(paths);
if (!pid) console.say("forgeline", `nothing runs in ${paths.root}`);
else {
  process.kill(pid, "SIGTERM");
  await waitFor(async () => ((await runningLauncher(paths)) ? undefined : true), {
    what: "the end of the instance",
    timeoutMs: 120_000,
  });
  console.ready("forgeline", "stopped");
}
