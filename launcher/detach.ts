/** `npm start -- --detach`: the same launcher as a background process; returns once `connection.json` is there. */
import { spawn } from "node:child_process";
import { mkdir, open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LauncherConfig } from "./config.ts";
import { pathsIn, runningLauncher } from "./home.ts";
import { waitFor } from "./wait-for.ts";

/** The first start may build Temporal. */
const startTimeoutMs = 20 * 60_000;

/** Resolves with the exit status. The background process writes what `npm start` prints to `logs/launcher.log`. */
export async function startDetached(config: LauncherConfig, noDemo: boolean): Promise<number> {
  const paths = pathsIn(config.home);
  const running = await runningLauncher(paths);
  if (running) throw new Error(`this instance already runs (pid ${running}); "npm run stop" ends it`);
  await mkdir(paths.logs, { recursive: true, mode: 0o700 });
  const logFile = join(paths.logs, "launcher.log");
  const log = await open(logFile, "w", 0o600);
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, main, ...(noDemo ? ["--no-demo"] : [])], {
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
    env: config.inherited,
  });
  await log.close();
  const died = new AbortController();
  child.once("exit", (code) => died.abort(new Error(`the start failed with ${code}`)));
  const ready = async () => ((await stat(paths.connectionFile).catch(() => undefined)) ? true : undefined);
  try {
    await waitFor(ready, {
      what: "the start",
      timeoutMs: startTimeoutMs,
      signal: died.signal,
      intervalMs: 200,
    });
  } finally {
    process.stdout.write(await readFile(logFile, "utf8"));
  }
  process.stdout.write(`running in the background (pid ${child.pid}); log: ${logFile}\n`);
  child.unref();
  return 0;
}
