/**
 * The directory of one run: databases, repositories, homes. In memory where the machine has room for it, since tests sync to
 * disk many thousand times and none of them is about what a power cut leaves on a real disk.
 */
import { chmod, mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "@forgeline/launcher/is-alive.ts";

const memory = "/dev/shm";
const neededBytes = 6 * 1024 ** 3;
// Short: paths of sockets have at most 107 characters, and Docker puts long names behind this one.
const prefix = "fl-run-";

export async function makeRunDirectory(): Promise<string> {
  const parent = (await hasRoom(memory)) ? memory : tmpdir();
  await removeStaleFiles(parent);
  const directory = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  // As `/tmp`: PostgreSQL and some tests run as other users.
  await chmod(directory, 0o1777);
  return directory;
}

async function hasRoom(directory: string): Promise<boolean> {
  const space = await statfs(directory).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize >= neededBytes;
}

/** What lies in memory of a run that was killed would stay until the machine starts anew. */
async function removeStaleFiles(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : 0;
    if (pid > 0 && !isAlive(pid)) await removeRunDirectory(join(parent, name));
  }
}

/** What is still mounted there, by a test's own Docker daemon that was killed, stays until somebody unmounts it. */
export async function removeRunDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true }).catch((error: Error) => {
    console.log(`test bed       not all of ${directory} could be removed: ${error.message}`);
  });
}
