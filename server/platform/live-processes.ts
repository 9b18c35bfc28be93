/**
 * Tells processes that share a data directory which of them are there. Each keeps a file of its own locked, and hands the lock on to
 * the programs that must be waited for, so a process counts as there until the last of these has ended, too. The kernel knows
 * it: nothing expires while a process is stopped, or has no network, and no clock is asked.
 */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, stat, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { lockFile } from "./file-locks.ts";

export interface LiveProcesses {
  /** Of this process; never used again. */
  id: string;
  /** What it keeps locked: the path, and the open file, for programs to inherit. */
  path: string;
  fd: number;
  /** Whether the process of that id, or a program that it handed its lock to, is there. Throws where that is unknown. */
  isThere(id: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Throws where the file system has no locks. */
export async function openLiveProcesses(dataDirectory: string): Promise<LiveProcesses> {
  const directory = join(dataDirectory, "present");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeAbsent(directory);
  const { id, file } = await takeFile(directory);
  return {
    id,
    path: join(directory, id),
    fd: file.fd,
    isThere: async (other) => other === id || isLocked(join(directory, other)),
    close: () => file.close(),
  };
}

/** Another process that starts may take a file for left over before it is locked, and remove it: then there is none. */
async function takeFile(directory: string): Promise<{ id: string; file: FileHandle }> {
  const id = randomBytes(16).toString("hex");
  const path = join(directory, id);
  const file = await open(path, "wx+", 0o600);
  if (await lockFile(file, "shared")) {
    const [opened, named] = await Promise.all([file.stat(), stat(path).catch(ignoreAbsent)]);
    if (named?.ino === opened.ino) return { id, file };
  }
  await file.close();
  return takeFile(directory);
}

async function removeAbsent(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await isLocked(join(directory, name), unlink);
}

/** What nobody locks is handed to `whenFree`, which nobody disturbs. */
async function isLocked(path: string, whenFree?: (path: string) => Promise<void>): Promise<boolean> {
  const file = await open(path, "r+").catch(ignoreAbsent);
  if (!file) return false;
  try {
    if (!(await lockFile(file, "exclusive"))) return true;
    await whenFree?.(path).catch(ignoreAbsent);
    return false;
  } finally {
    await file.close();
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
