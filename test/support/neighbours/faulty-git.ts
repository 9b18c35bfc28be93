/**
 * A `git` for servers, of which one push at a time is stopped or killed while it holds the lock of a ref (by `strace`), on demand.
 * And what the machine sees of those that are stopped, in whatever namespace they are.
 */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, readlink, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { needs } from "../programs/needs.ts";

/** Git has written the lock of the ref when it syncs it, and lets it become the ref by renaming it. */
const faults = { stop: "fsync:signal=STOP:when=1", kill: "rename:signal=KILL:when=1" };

export interface FaultyGit {
  /** To stand first in the PATH of a server of that name. */
  pathFor(server: string): Promise<string>;
  /** The next push to the repository that gets as far as the lock of its ref meets it, by whichever server it goes. */
  order(directory: string, fault: keyof typeof faults): Promise<void>;
  /** How many were killed so far. */
  killed(): Promise<number>;
}

export async function createFaultyGit(home: string): Promise<FaultyGit> {
  needs("strace");
  const orders = join(home, "orders");
  await mkdir(orders);
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = (server: string) => `#!/bin/sh
order="${orders}/$(basename "\${GIT_DIR:-none}")"
log="$order.${server}.$$"
if [ "\${FORGELINE_PUSH:-}" != 3 ] || ! mv "$order" "$log" 2>/dev/null; then exec ${git} "$@"; fi
read -r fault < "$log"
strace -q -o "$log" -e trace=fsync,rename -e inject="$fault" ${git} "$@"
code=$?
# Others were in its way: it is for the next one.
grep -q -e SIGSTOP -e SIGKILL "$log" || echo "$fault" > "$order"
exit "$code"
`;
  return {
    async pathFor(server) {
      const bin = join(home, server);
      await mkdir(bin);
      await writeFile(join(bin, "git"), script(server));
      await chmod(join(bin, "git"), 0o755);
      return `${bin}:${process.env["PATH"]}`;
    },
    order: (directory, fault) => writeFile(join(orders, basename(directory)), `${faults[fault]}\n`),
    async killed() {
      const logs = (await readdir(orders)).filter((name) => !name.endsWith(".git"));
      const texts = await Promise.all(logs.map((name) => readFile(join(orders, name), "utf8")));
      return texts.filter((text) => text.includes("killed by SIGKILL")).length;
    },
  };
}

/** A Git process that is stopped while it holds a lock. */
export interface SuspendedProcess {
  pid: number;
  ref: string;
  /** Of its lock. */
  path: string;
  /** Where it wants the ref to be. */
  after: string;
  /** Whether its lock is still its own. */
  hasItsLock(): Promise<boolean>;
  wake(): void;
}

export async function stoppedHolders(directory: string): Promise<SuspendedProcess[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => stoppedHolder(directory, pid).catch(() => undefined)));
  return found.filter((holder) => holder !== undefined);
}

async function stoppedHolder(directory: string, pid: string): Promise<SuspendedProcess | undefined> {
  if ((await readlink(`/proc/${pid}/cwd`)) !== directory) return undefined;
  if (!/^State:\s+[Tt]/m.test(await readFile(`/proc/${pid}/status`, "utf8"))) return undefined;
  for (const fd of await readdir(`/proc/${pid}/fd`)) {
    const handle = `/proc/${pid}/fd/${fd}`;
    const path = await readlink(handle);
    if (!path.startsWith(`${directory}/refs/`) || !path.endsWith(".lock")) continue;
    return {
      pid: Number(pid),
      ref: path.slice(directory.length + 1, -".lock".length),
      path,
      after: (await readFile(path, "utf8")).trim(),
      hasItsLock: async () => {
        const [own, there] = await Promise.all([stat(handle), stat(path).catch(() => undefined)]);
        return own.ino === there?.ino;
      },
      wake: () => process.kill(Number(pid), "SIGCONT"),
    };
  }
  return undefined;
}
