/**
 * `npm start`: sets up all it needs, starts an instance, runs the demo, and stays up until Ctrl-C or `npm run stop`.
 * `--no-demo` leaves the demo out; `--detach` returns once everything is ready.
 */
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { loadLauncherConfig } from "./config.ts";
import { writeConnectionFile } from "./connection-file.ts";
import { createConsole } from "./console.ts";
import { runDemo } from "./demo.ts";
import { startDetached } from "./detach.ts";
import { claimHome, openHome, releaseHome } from "./home.ts";
import { startInstance, type Instance } from "./instance.ts";
import { endLeftovers } from "./leftovers.ts";
import { printWhereToLook } from "./where-to-look.ts";

const { values: flags } = parseArgs({
  options: { "no-demo": { type: "boolean", default: false }, detach: { type: "boolean", default: false } },
});
const console = createConsole();
// A reader of our output that goes away (`npm start | head`) must not end the instance without its children.
process.stdout.on("error", () => undefined);
try {
  const config = loadLauncherConfig();
  if (flags.detach) process.exitCode = await startDetached(config, flags["no-demo"]);
  else await stayUp(config);
} catch (error) {
  console.problem("failed", (error as Error).message);
  process.exitCode = 1;
}

async function stayUp(config: ReturnType<typeof loadLauncherConfig>): Promise<void> {
  const paths = await openHome(config.home);
  await claimHome(paths);
  const stopRequest = onceAskedToStop();
  let instance: Instance | undefined;
  try {
    console.say("forgeline", `home ${paths.root}`);
    const leftovers = await endLeftovers(paths.processes);
    if (leftovers.length > 0)
      console.say("forgeline", `ended what an earlier start left: ${leftovers.join(", ")}`);
    // Asked to stop while starting: what has started by then is ended by the same path as later.
    instance = await startInstance({ config, paths, console });
    const pids = Object.fromEntries(instance.processes.map((p) => [p.name, p.pid() ?? 0]));
    const connection = await writeConnectionFile(paths, {
      publicUrl: instance.publicUrl,
      caFile: instance.certificates.caFile,
      ports: instance.ports,
      secrets: instance.secrets,
      pids: { launcher: process.pid, ...pids },
    });
    if (!flags["no-demo"])
      await Promise.race([runDemo({ instance, paths, console, env: config.inherited }), stopRequest]);
    printWhereToLook(console, paths, connection);
    await stopRequest;
  } finally {
    console.blank();
    console.say("forgeline", "stopping");
    await instance?.stop();
    await rm(paths.processes, { recursive: true, force: true });
    await releaseHome(paths);
    console.say("forgeline", "stopped; the next start finds all data again");
  }
}

function onceAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
  });
}
