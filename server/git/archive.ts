/** All files of a commit as one packed stream. */
import type { StartedProcess } from "../platform/processes/started-process.ts";
import { readRecords } from "./read-records.ts";
import type { StartGit } from "./run-git.ts";

export type ArchiveFormat = "tar.gz" | "zip";

const longestMs = 30 * 60 * 1000;

/** `prefix` is the directory that holds everything; `sha` a full commit id. The caller reads, and aborts by the signal. */
export function startArchive(
  startGit: StartGit,
  archive: { directory: string; sha: string; format: ArchiveFormat; prefix: string; signal: AbortSignal },
): Promise<StartedProcess> {
  const { directory, signal, format, prefix, sha } = archive;
  return startGit({
    directory,
    args: ["archive", `--format=${format}`, `--prefix=${prefix}/`, "--end-of-options", sha],
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    timeoutMs: longestMs,
  });
}

/** Git makes a list of all entries in memory before it packs the first. */
const maxEntries = 500_000;

/** Whether a commit has few enough files and directories to be packed. */
export async function canArchive(startGit: StartGit, directory: string, sha: string): Promise<boolean> {
  let entries = 0;
  await readRecords(startGit, {
    directory,
    args: ["ls-tree", "-r", "-t", "-z", "--object-only", sha],
    separator: "\0",
    onRecord: () => (entries += 1) <= maxEntries,
  });
  return entries <= maxEntries;
}

/** The bytes of one blob, however large. */
export function startBlob(
  startGit: StartGit,
  blob: { directory: string; oid: string; signal: AbortSignal },
): Promise<StartedProcess> {
  return startGit({
    directory: blob.directory,
    args: ["cat-file", "blob", blob.oid],
    stdio: ["ignore", "pipe", "pipe"],
    signal: blob.signal,
    timeoutMs: longestMs,
  });
}
