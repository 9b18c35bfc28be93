/** Gives the disk space of a range of a file back without changing its size; where the file system cannot, nothing. */
import { spawn } from "node:child_process";

export function punchHole(path: string, offset: number, length: number): Promise<void> {
  return new Promise((resolve) => {
    const args = ["--punch-hole", "--keep-size", "--offset", `${offset}`, "--length", `${length}`, path];
    const child = spawn("fallocate", args, { stdio: "ignore" });
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  });
}
