/**
 * Where local runs keep what belongs to them: one directory each, which names the process that it belongs to. What a process
 * left that was killed is removed by the next one.
 */
import { mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type Dockerode from "dockerode";
import { newId } from "@forgeline/server/platform/ids.ts";
import { engineFor } from "./engine.ts";
import { ExecProblem } from "./exec-problem.ts";

export interface ExecHome {
  /** The name under which Docker knows what belongs to it. */
  runnerId: string;
  /** Absolute; the daemon has to see it under the same path. */
  directory: string;
}

interface Owner {
  pid: number;
  /** Tells it from a later process with the same number; null where the system does not say. */
  since: string | null;
}

const ownerFile = "owner.json";

/** Throws `ExecProblem` when it cannot be made. */
export async function makeHome(env: NodeJS.ProcessEnv = process.env): Promise<ExecHome> {
  const top = topDirectory(env);
  const runnerId = newId("rnr");
  try {
    await mkdir(join(top, runnerId), { recursive: true, mode: 0o700 });
    const directory = await realpath(join(top, runnerId));
    const owner: Owner = { pid: process.pid, since: await startOf(process.pid) };
    await writeFile(join(directory, ownerFile), JSON.stringify(owner), { mode: 0o600 });
    return { runnerId, directory };
  } catch (error) {
    throw new ExecProblem(
      `${top} cannot be used (${(error as Error).message}); name another in FORGELINE_EXEC_DIR`,
      1,
    );
  }
}

/** Where the caches of a project stay between its runs; named for where the project is. */
export function cacheDirectory(root: string, env: NodeJS.ProcessEnv = process.env): string {
  return join(topDirectory(env), "caches", createHash("sha256").update(root).digest("hex").slice(0, 32));
}

/** Who it belongs to goes last, so that what cannot be removed now is found by the next run. */
export async function removeHome({ directory }: ExecHome): Promise<void> {
  for (const name of await readdir(directory))
    if (name !== ownerFile) await rm(join(directory, name), { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
}

/** Removes containers, networks and files of runs whose process is gone. Never rejects: what stays is tried again by the next run. */
export async function removeLeftovers({ directory }: ExecHome, docker: Dockerode): Promise<void> {
  const top = join(directory, "..");
  for (const runnerId of await readdir(top).catch(() => [])) {
    const left = { runnerId, directory: join(top, runnerId) };
    if (!/^rnr_[0-9a-z]{26}$/.test(runnerId) || left.directory === directory) continue;
    try {
      if (await isAlive(left)) continue;
      const engine = await engineFor(left, docker, () => undefined);
      await engine.sweep(new Set());
      await engine.close();
      await removeHome(left);
    } catch {
      // Its owner may be another user or just beginning, or Docker be busy.
    }
  }
}

function topDirectory(env: NodeJS.ProcessEnv): string {
  const named = env["FORGELINE_EXEC_DIR"];
  if (named) return named;
  return join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "forgeline", "exec");
}

async function isAlive({ directory }: ExecHome): Promise<boolean> {
  const text = await readFile(join(directory, ownerFile), "utf8").catch(() => null);
  // Made, but not yet written by its owner.
  if (text === null) return true;
  const { pid, since } = JSON.parse(text) as Owner;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return since === null || (await startOf(pid)) === since;
}

/** Ticks since the machine's start, as the kernel counts them. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
