/** All files of a commit as one packed stream. */
import type { StartedProcess } from "../../processes/started-process.ts";
import { readRecords } from "../processes/read-records.ts";
import type { SlowClient } from "../processes/slow-clients.ts";
import type { StartGit } from "../processes/run-git.ts";

export type ArchiveFormat = "tar.gz" | "zip";

const maxDurationMs = 30 * 60 * 1000;

/** Output of Git that is read as slowly as a client reads. The caller reads, and aborts by the signal. */
interface Download {
  directory: string;
  signal: AbortSignal;
  client: SlowClient;
}

/** `prefix` is the directory that holds everything; `sha` a full commit id. */
export function startArchive(
  startGit: StartGit,
  archive: Download & { sha: string; format: ArchiveFormat; prefix: string },
): Promise<StartedProcess> {
  const { directory, signal, client, format, prefix, sha } = archive;
  return startGit({
    directory,
    args: ["archive", `--format=${format}`, `--prefix=${prefix}/`, "--end-of-options", sha],
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    client,
    timeoutMs: maxDurationMs,
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
export function startBlob(startGit: StartGit, blob: Download & { oid: string }): Promise<StartedProcess> {
  const { directory, oid, signal, client } = blob;
  return startGit({
    directory,
    args: ["cat-file", "blob", oid],
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    client,
    timeoutMs: maxDurationMs,
  });
}
