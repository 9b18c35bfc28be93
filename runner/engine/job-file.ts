/**
 * Opening files in directories that a job can write to. A job may put a symbolic link or a pipe where the agent
 * expects its own file; following it would show the host's files in a log, or block the agent.
 */
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

/** `EAGAIN`: a process of the job holds a lease on it (`F_SETLEASE`), which an open would have to wait for. */
const unopenableCodes = new Set<string | undefined>(["ENOENT", "ELOOP", "ENXIO", "EACCES", "EAGAIN"]);

/** null when the file is absent, not a regular file, or kept from being opened by its owner. The caller closes the handle. */
export async function openJobFile(path: string): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (unopenableCodes.has((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}

/** At most `maxBytes` from the beginning; null when there is no such regular file. */
export async function readJobFile(path: string, maxBytes: number): Promise<Buffer | null> {
  const handle = await openJobFile(path);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
