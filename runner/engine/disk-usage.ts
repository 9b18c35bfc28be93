/** What a directory takes of the disk. */
import { execFile } from "node:child_process";

const timeoutMs = 30_000;

/** Bytes in blocks, as `du` counts; what may not be read or vanishes meanwhile is left out. Never rejects. */
export function diskUsage(directory: string): Promise<number> {
  return new Promise((resolve) => {
    execFile("du", ["-skx", "--", directory], { timeout: timeoutMs }, (_error, stdout) =>
      resolve((Number.parseInt(stdout, 10) || 0) * 1024),
    );
  });
}
