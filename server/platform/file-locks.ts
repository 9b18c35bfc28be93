/**
 * Locks that the kernel keeps on open files (`flock`). They are seen wherever the file is: from other containers, and from other hosts
 * where the file system carries them. Whoever inherits the open file holds them too, stopped or not, and they end with the last
 * of these, however it ends. Node has no call for them: the program `flock` locks what it is handed, and the lock stays with the file.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, type FileHandle } from "node:fs/promises";

const isTaken = 75;

/** False, at once, when somebody's lock is in the way. Throws where the file system has no such locks. */
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

/** Does the work while nobody else has a lock on the file; undefined, with nothing done, where somebody has. */
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
