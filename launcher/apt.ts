/** Packages of Debian, Ubuntu and their like, where we may install them. */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, run, which } from "./run.ts";

export interface AptOptions {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
  /** Between two tries while another apt-get reads the lists of packages. */
  retryMs?: number;
}

/** Another apt-get is waited for so long. */
const lockSeconds = 600;
/** `DPkg::Lock::Timeout` is for installing alone; the lists of packages have a lock of their own, which nothing waits for. */
const lockedText = /could not get lock|unable to lock/i;

export async function canInstallPackages(env: NodeJS.ProcessEnv): Promise<boolean> {
  return process.getuid?.() === 0 && (await isDebian()) && (await which("apt-get", env)) !== undefined;
}

async function isDebian(): Promise<boolean> {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release);
}

/** For the caller who has asked `canInstallPackages`. Says what it does; may run twice. Rejects with what apt-get said. */
export async function installPackages(packages: readonly string[], options: AptOptions): Promise<void> {
  options.say(`installing ${packages.join(", ")} with apt-get (once)`);
  await aptGet(["update", "-qq"], options);
  await aptGet(["install", "-y", "-qq", "--no-install-recommends", ...packages], options);
}

async function aptGet(args: readonly string[], options: AptOptions): Promise<void> {
  const { say, signal, retryMs = 2_000 } = options;
  const env = { ...options.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  const settings = ["-o", `DPkg::Lock::Timeout=${lockSeconds}`, "-o", "Acquire::Retries=3"];
  const untilMs = performance.now() + lockSeconds * 1000;
  for (let waits = false; ; waits = true) {
    try {
      await run("apt-get", [...settings, ...args], { env, signal });
      return;
    } catch (error) {
      const isLocked = error instanceof CommandError && lockedText.test(error.output);
      if (!isLocked || performance.now() > untilMs) throw error;
      if (!waits) say("another apt-get is running; waiting for it");
      await sleep(retryMs, undefined, signal ? { signal } : {});
    }
  }
}
