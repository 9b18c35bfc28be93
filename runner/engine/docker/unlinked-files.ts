/**
 * Files that processes of a job hold open and that have no name any more: no walk finds them. Only root of the machine may look
 * at descriptors of others.
 */
import type { BigIntStats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import type { DiskBytes } from "../engine.ts";
import { mountedDirectory, type EngineContext } from "./context.ts";
import { writtenPaths } from "./written-paths.ts";

/** Of one job. Looking at so many takes about half a second; who opens more is not attributed. */
const maxDescriptors = 20_000;
const sectorBytes = 512n;

/** Nothing where it is unknown. Never rejects. */
export async function unlinkedBytes(context: EngineContext, jobKey: string): Promise<DiskBytes> {
  if (process.getuid?.() !== 0) return { bytes: 0 };
  try {
    const { containers, directories } = await writtenPaths(context, jobKey);
    const lists = await Promise.all(containers.map((id) => processesOf(context, id)));
    return await sumOfNameless(lists.flat(), mountedDirectory(context, jobKey), directories);
  } catch {
    return { bytes: 0 };
  }
}

/** Numbers as the machine sees them; none where the container does not run. */
async function processesOf({ docker }: EngineContext, container: string): Promise<string[]> {
  return docker
    .getContainer(container)
    .top({ ps_args: "-eo pid" })
    .then(
      ({ Processes }: { Processes: string[][] }) => Processes.flat(),
      () => [],
    );
}

/** On the disks of these directories and in the processes' own layers, and nowhere else: what is in memory takes no disk. */
async function sumOfNameless(
  processes: readonly string[],
  mounted: string,
  ofDaemon: readonly string[],
): Promise<DiskBytes> {
  const [here, ...there] = (await Promise.all([mounted, ...ofDaemon].map(looked))).map((found) => found?.dev);
  const disks = new Set([here, ...there]);
  const seen = new Set<string>();
  let bytes = 0n;
  let daemonBytes = 0n;
  let left = maxDescriptors;
  for (const pid of processes) {
    const root = await looked(`/proc/${pid}/root`);
    const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const some = names.slice(0, left);
    left -= some.length;
    for (const file of await Promise.all(some.map((name) => looked(`/proc/${pid}/fd/${name}`)))) {
      if (file === null || !file.isFile() || file.nlink > 0n) continue;
      if (file.dev !== root?.dev && !disks.has(file.dev)) continue;
      const identity = `${file.dev}:${file.ino}`;
      if (seen.has(identity)) continue;
      seen.add(identity);
      bytes += file.blocks * sectorBytes;
      if (file.dev !== here) daemonBytes += file.blocks * sectorBytes;
    }
  }
  return { bytes: Number(bytes), daemonBytes: Number(daemonBytes) };
}

function looked(path: string): Promise<BigIntStats | null> {
  return stat(path, { bigint: true }).catch(() => null);
}
