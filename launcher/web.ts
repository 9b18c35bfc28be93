/** The web interface as files that the API server serves: built from this checkout, when its sources have changed. */
import { join } from "node:path";
import type { LauncherConfig } from "./config.ts";
import type { Console } from "./console.ts";
import { run } from "./run.ts";
import { checkout } from "./server-processes.ts";

/** Says what it does; rejects with the builder's own words. */
export async function buildWeb(config: LauncherConfig, console: Console, signal: AbortSignal): Promise<void> {
  console.say("web", "building what has changed");
  const said = await run(process.execPath, [join(checkout, "web", "build.ts")], {
    env: { PATH: config.inherited["PATH"], HOME: config.inherited["HOME"] },
    signal,
  });
  console.ready("web", said.trim().split("\n").at(-1) ?? "");
}
