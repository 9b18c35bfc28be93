/** Copies a file piece by piece, and computes its hash on the way. */
import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import type { Throttle } from "./throttle.ts";

export interface CopiedFile {
  sizeBytes: number;
  sha256: string;
  mode: number;
}

const pieceBytes = 1024 * 1024;

/**
 * What the file holds while it is read, which may be more or less than when it was opened. Undefined, and no target, when
 * it is not there. Rejects when the target is there.
 */
export async function copyFile(
  source: string,
  target: string,
  pace: Throttle,
): Promise<CopiedFile | undefined> {
  const from = await openOrAbsent(source);
  if (!from) return undefined;
  try {
    const mode = (await from.stat()).mode & 0o777;
    const to = await open(target, "wx", mode | 0o200);
    try {
      return { ...(await copy(from, to, pace)), mode };
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function copy(from: FileHandle, to: FileHandle, pace: Throttle) {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let sizeBytes = 0;
  for (;;) {
    const { bytesRead } = await from.read(buffer, 0, pieceBytes);
    if (bytesRead === 0) return { sizeBytes, sha256: hash.digest("hex") };
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await to.writeFile(piece);
    sizeBytes += bytesRead;
    await pace.took(bytesRead);
  }
}

async function openOrAbsent(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
