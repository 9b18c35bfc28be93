/** Gives the disk space of a range of a file back without changing its size; where the file system cannot, nothing. */
import { spawn } from "node:child_process";
import type { FileHandle } from "node:fs/promises";

/** Of the file that is open, whatever has its name by now. */
export function punchHole(file: FileHandle, offset: number, length: number): Promise<void> {
  return new Promise((resolve) => {
    const range = ["--punch-hole", "--keep-size", "--offset", `${offset}`, "--length", `${length}`];
    const child = spawn("fallocate", [...range, "/proc/self/fd/3"], {
      stdio: ["ignore", "ignore", "ignore", file.fd],
    });
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  });
}
