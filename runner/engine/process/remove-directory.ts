/** Removing what a job of the runner's own user has made, whatever rights it has given it and however deep it is. */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";

/** Throws where something stays, with the system's own words. Idempotent. */
export async function removeDirectory(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Directories that their owner may not write, such as Go's module cache, and paths that are too long to be named.
    await ended("chmod", ["-R", "u+rwX", "--", directory]).catch(() => undefined);
    await ended("rm", ["-rf", "--", directory]);
  }
}

function ended(program: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, words, (error, _stdout, stderr) =>
      error ? reject(new Error(stderr.trim().split("\n")[0] ?? error.message)) : resolve(),
    );
  });
}
