/**
 * Tables of the kernel that all containers share, whatever their limits: one job that fills one takes it from the runner, from
 * dockerd and from other jobs. At the runner's start each is made so large that a job comes to the end of its memory first; where the
 * runner may not do that, its operator is told what to set.
 */
import { readFile, stat, writeFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import type { Logger } from "pino";

/**
 * epoll and inotify are counted by user, root in a container with root outside. Their entries are memory of the job, and all jobs
 * together have no more than the machine: a table with room for all memory divided by less than one entry takes is never full.
 * Linux 6.18 charges 208 bytes for a watch of epoll (136 where its file wakes nobody), 90 for one of inotify, 969 for an instance.
 */
const bytesOfEntry = {
  "fs.epoll.max_user_watches": 128,
  "fs.inotify.max_user_watches": 64,
  "fs.inotify.max_user_instances": 512,
} as const;

/**
 * Neighbours (addresses that were requested on a network) count for nobody, so all of memory would be too much: a 64th, of what the
 * limits of jobs leave to the system. Below this threshold the kernel refuses none; the two that are lower only begin its cleaning.
 */
const neighbourTables = ["net.ipv4.neigh.default.gc_thresh3", "net.ipv6.neigh.default.gc_thresh3"] as const;
const bytesOfNeighbour = 512;
const shareOfNeighbours = 64;
/** The kernel keeps most of them as an `int`. */
const largest = 2 ** 31 - 1;

export interface KernelTable {
  /** As `sysctl` names it. */
  name: string;
  least: number;
}

export type SeenTable = KernelTable & {
  /** `hidden` where only the machine's own network shows it, `absent` where the kernel has none. */
  size: number | "hidden" | "absent";
};

/** How large they must be at least. */
export function kernelTables(memoryBytes: number): KernelTable[] {
  const of = (name: string, bytes: number): KernelTable => ({
    name,
    least: Math.min(largest, Math.ceil(memoryBytes / bytes)),
  });
  return [
    ...Object.entries(bytesOfEntry).map(([name, bytes]) => of(name, bytes)),
    ...neighbourTables.map((name) => of(name, bytesOfNeighbour * shareOfNeighbours)),
  ];
}

const isShort = ({ size, least }: SeenTable): boolean => typeof size === "number" && size < least;

/** With the lines to set, those included that could not be seen; null where nothing is known to be too small. */
export function tableWarning(seen: readonly SeenTable[]): { text: string; lines: string[] } | null {
  const short = seen.filter(isShort);
  if (short.length === 0) return null;
  const names = short.map(({ name, size }) => `${name} (${String(size)})`).join(", ");
  return {
    text: `A single job can fill kernel tables shared by all containers: ${names}. Put these lines into /etc/sysctl.d/90-forgeline.conf and run \`sysctl --system\`.`,
    lines: seen
      .filter((table) => isShort(table) || table.size === "hidden")
      .map(({ name, least }) => `${name} = ${String(least)}`),
  };
}

export interface KernelTableDeps {
  logger: Pick<Logger, "info" | "warn">;
  /** Default: the machine's. */
  memoryBytes?: number;
  /** Default: `/proc/sys`. */
  directory?: string;
}

/** Raises what is too small, or warns; lowers nothing. May run again. Never rejects: jobs run all the same. */
export async function raiseKernelTables(deps: KernelTableDeps): Promise<void> {
  const { logger, memoryBytes = totalmem(), directory = "/proc/sys" } = deps;
  const left: SeenTable[] = [];
  for (const table of kernelTables(memoryBytes)) {
    const path = join(directory, table.name.replaceAll(".", "/"));
    const size = await sizeOf(path);
    const seen = { ...table, size };
    if (isShort(seen) && (await writes(path, table.least)))
      logger.info(
        { sysctl: table.name, old: size, new: table.least },
        "raised a kernel limit shared by jobs",
      );
    else left.push(seen);
  }
  const warning = tableWarning(left);
  if (warning !== null) logger.warn({ lines: warning.lines }, warning.text);
}

async function sizeOf(path: string): Promise<SeenTable["size"]> {
  const size = Number.parseInt(await readFile(path, "utf8").catch(() => ""), 10);
  if (!Number.isNaN(size)) return size;
  // Another network than the machine's has `neigh`, and in it no `default`.
  return stat(dirname(dirname(path))).then(
    () => "hidden",
    () => "absent",
  );
}

/** False if the process is not root, in a container (`/proc/sys` is read-only there), and in a network other than the machine's. */
async function writes(path: string, value: number): Promise<boolean> {
  return writeFile(path, String(value)).then(
    () => true,
    () => false,
  );
}
