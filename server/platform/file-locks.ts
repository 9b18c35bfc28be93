/**
 * Locks that the kernel keeps on open files (`flock`). They are seen wherever the file is: from other containers, and from
 * other hosts where the file system carries them. Processes that inherit the open file hold them too, even while stopped, and
 * they end with the last of these, however it ends. Node has no call for them: the program `flock` locks the file it is given,
 * and the lock stays with the file.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, type FileHandle } from "node:fs/promises";

const isTaken = 75;

/** False, at once, if it is already locked. Throws if the file system has no such locks. */
export async function lockFile(file: FileHandle, kind: "shared" | "exclusive"): Promise<boolean> {
  const child = spawn("flock", ["--nonblock", `--conflict-exit-code=${isTaken}`, `--${kind}`, "3"], {
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "ignore", "ignore", file.fd],
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  if (exitCode !== 0 && exitCode !== isTaken)
    throw new Error(`cannot lock a file: flock ended with ${exitCode ?? "a signal"}`);
  return exitCode === 0;
}

/** Does the work while holding the lock; undefined, with nothing done, if it is already locked. */
export async function tryWithFileLock<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  const file = await open(path, "a", 0o600);
  try {
    return (await lockFile(file, "exclusive")) ? await work() : undefined;
  } finally {
    await file.close();
  }
}

/** Starts a program so that it, and whatever it starts, keeps the file locked; it waits for an exclusive lock to end. */
export function keepingLocked(path: string, { program, args }: { program: string; args: readonly string[] }) {
  // Turns into the program instead of starting it, so that there is one process with one exit code.
  return { program: "flock", args: ["--shared", "--no-fork", path, program, ...args] };
}
