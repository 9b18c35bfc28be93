/** What a directory takes of the disk. */
import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import type { DiskUsage } from "./engine.ts";

const timeoutMs = 30_000;

/**
 * Bytes in blocks, as `du` counts; what may not be read or vanishes meanwhile is left out, and a directory that is not there
 * takes nothing. Infinity when it cannot be counted in time. Never rejects.
 */
export async function diskUsage(directory: string): Promise<DiskUsage> {
  for (let tries = 1; ; tries += 1) {
    const counted = await countTree(directory);
    // One that came while it was looked for is counted then.
    if (Number.isFinite(counted.bytes) || tries === 2) return counted;
  }
}

async function countTree(directory: string): Promise<DiskUsage> {
  const [kib, files] = await Promise.all([
    countOf(["-skx", "--", directory]),
    countOf(["-sx", "--inodes", "--", directory]),
  ]);
  if (kib !== null) return { bytes: kib * 1024, files: files ?? 0 };
  return access(directory).then(
    () => ({ bytes: Infinity, files: Infinity }),
    () => ({ bytes: 0, files: 0 }),
  );
}

function countOf(words: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    execFile("du", words, { timeout: timeoutMs }, (_error, stdout) => {
      const count = Number.parseInt(stdout, 10);
      resolve(Number.isNaN(count) ? null : count);
    });
  });
}

export function sumOfUsage(parts: readonly DiskUsage[]): DiskUsage {
  return {
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    files: parts.reduce((sum, { files }) => sum + files, 0),
    daemonBytes: parts.reduce((sum, { daemonBytes = 0 }) => sum + daemonBytes, 0),
  };
}
