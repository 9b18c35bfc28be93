/** Refuses new work when a disk is full, and recognizes errors of a full disk. */
import { statfs } from "node:fs/promises";
import { AppError } from "./app-error.ts";

/** Below it, nothing new is begun, so that running work and repairs can finish. */
const minFreeBytes = 4 * 1024 * 1024;

export function diskFull(cause?: unknown): AppError {
  return new AppError("unavailable", {
    message: "The server's disk is full; nothing was changed. Contact an administrator, then try again.",
    retryAfterSeconds: 60,
    cause,
  });
}

/** Throws `unavailable` when the file system of this directory has no room for anything new. */
export async function assertRoom(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < minFreeBytes) throw diskFull();
}

/** From our own system call, or reported by a program such as Git. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    code === "ENOSPC" ||
    code === "EDQUOT" ||
    /No space left on device|Disk quota exceeded/.test(error.message)
  );
}
