/** What a directory takes of the disk. */
import { execFile } from "node:child_process";
import { access } from "node:fs/promises";

const timeoutMs = 30_000;

/**
 * Bytes in blocks, as `du` counts; what may not be read or vanishes meanwhile is left out, and a directory that is not there
 * takes nothing. Infinity when it cannot be counted in time. Never rejects.
 */
export async function diskUsage(directory: string): Promise<number> {
  const blocks = await blocksOf(directory);
  if (blocks !== null) return blocks * 1024;
  return access(directory).then(
    () => Infinity,
    () => 0,
  );
}

function blocksOf(directory: string): Promise<number | null> {
  return new Promise((resolve) => {
    execFile("du", ["-skx", "--", directory], { timeout: timeoutMs }, (_error, stdout) => {
      const count = Number.parseInt(stdout, 10);
      resolve(Number.isNaN(count) ? null : count);
    });
  });
}
