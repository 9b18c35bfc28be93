/**
 * One hash of files of a checkout, for the keys of caches: of their paths and bytes, and nothing that differs between two
 * checkouts of one commit. No link is followed.
 */
import { createHash } from "node:crypto";
import { ArtifactError } from "../artifacts/artifact-error.ts";
import { pathPatterns } from "../artifacts/patterns.ts";
import { changed, findFiles, openFound, type FoundFile } from "../artifacts/workspace-files.ts";
import { CacheError } from "./cache-error.ts";

const limits = { files: 10_000, entries: 1_000_000, advice: "Name fewer files." };
const maxBytes = 1024 ** 3;
const pieceBytes = 1024 * 1024;

export interface HashedFiles {
  /** Hexadecimal; empty where nothing matches. */
  hash: string;
  /** What matches and cannot be read, such as links that lead out of the workspace. */
  leftOut: readonly string[];
}

/** Throws `CacheError` past its bounds, or the reason of the signal. */
export async function hashFiles(
  workspace: string,
  globs: readonly string[],
  signal: AbortSignal,
): Promise<HashedFiles> {
  try {
    // Git's own files differ between two checkouts of one commit.
    const patterns = pathPatterns(globs, [".git"]);
    const { files, leftOut } = await findFiles(workspace, patterns, limits);
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (bytes > maxBytes) throw new CacheError(`hashFiles would have to read more than ${maxBytes} bytes`);
    const hash = createHash("sha256");
    for (const file of files)
      hash.update(`${file.path}\0${file.kind}\0${await hashOf(workspace, file, signal)}\n`);
    return { hash: files.length === 0 ? "" : hash.digest("hex"), leftOut };
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    throw new CacheError(`hashFiles: ${error.message}`, { cause: error });
  }
}

async function hashOf(workspace: string, file: FoundFile, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  if (file.target !== null) return hash.update(file.target).digest("hex");
  const handle = await openFound(workspace, file);
  const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, file.sizeBytes + 1));
  try {
    for (let at = 0; at < file.sizeBytes;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw changed(file.path);
      hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
  return hash.digest("hex");
}
