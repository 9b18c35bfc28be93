/** `npm start -- --detach`: the same launcher as a background process; returns once `connection.json` is there. */
import { spawn } from "node:child_process";
import { mkdir, open, readFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LauncherConfig } from "./config.ts";
import type { ConnectionFile } from "./connection-file.ts";
import type { Console } from "./console.ts";
import { pathsIn, runningLauncher, type HomePaths } from "./home.ts";
import type { StopRequest } from "./stop-request.ts";
import { waitFor } from "./wait-for.ts";
import { printSummary } from "./print-summary.ts";

/** The first start may build Temporal. */
const startTimeoutMs = 20 * 60_000;

export interface DetachOptions {
  config: LauncherConfig;
  noDemo: boolean;
  console: Console;
  stop: StopRequest;
}

/**
 * Resolves with the exit status: 0 when the instance runs, 1 when it could not start or was stopped meanwhile. The
 * background process writes what `npm start` prints to `logs/launcher.log`; it is shown here as it comes.
 */
export async function startDetached({ config, noDemo, console, stop }: DetachOptions): Promise<number> {
  const paths = pathsIn(config.home);
  const running = await runningLauncher(paths);
  if (running) throw new Error(`this instance is already running (pid ${running}); "npm run stop" ends it`);
  await mkdir(paths.logs, { recursive: true, mode: 0o700 });
  const logFile = join(paths.logs, "launcher.log");
  const log = await open(logFile, "w+", 0o600);
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    [...process.execArgv, main, "--background", ...(noDemo ? ["--no-demo"] : [])],
    {
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      env: config.inherited,
    },
  );
  // Stopped while it starts: so is the start.
  stop.signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const ended = new Promise<"ended">((resolve) => {
    child.once("exit", () => resolve("ended"));
    child.once("error", () => resolve("ended"));
  });
  const over = new AbortController();
  const showing = showGrowth(log, over.signal);
  const outcome = await Promise.race([ended, connectionOf(paths, child.pid, over.signal)]);
  over.abort();
  await showing;
  await log.close();
  if (outcome === "ended") return 1;
  printSummary(console, { paths, connection: outcome, ending: "npm run stop" });
  console.say("forgeline", `running in the background (pid ${child.pid}); log: ${logFile}`);
  child.unref();
  return 0;
}

/** What that process has written, not what a killed one left. */
function connectionOf(
  paths: HomePaths,
  launcher: number | undefined,
  signal: AbortSignal,
): Promise<ConnectionFile> {
  const probe = async () => {
    const text = await readFile(paths.connectionFile, "utf8").catch(() => undefined);
    const file = text === undefined ? undefined : (JSON.parse(text) as ConnectionFile);
    return file?.pids["launcher"] === launcher ? file : undefined;
  };
  return waitFor(probe, { what: "the start", timeoutMs: startTimeoutMs, signal, intervalMs: 100 });
}

/** Copies what the file gains to our output until `signal` says that it is enough. */
async function showGrowth(log: FileHandle, signal: AbortSignal): Promise<void> {
  const buffer = Buffer.alloc(64 * 1024);
  let at = 0;
  const copy = async () => {
    for (;;) {
      const { bytesRead } = await log.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return undefined;
      at += bytesRead;
      process.stdout.write(buffer.subarray(0, bytesRead));
    }
  };
  const untilOver = { what: "the start", timeoutMs: startTimeoutMs, signal, intervalMs: 100 };
  await waitFor(copy, untilOver).catch(() => undefined);
  await copy();
}
