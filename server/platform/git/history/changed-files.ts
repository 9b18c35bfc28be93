/** The first files of a change, each with a patch, within limits. */
import { queryTimeoutMs } from "../processes/read-records.ts";
import type { StartGit } from "../processes/run-git.ts";
import { compareFiles } from "./compared-files.ts";
import { statusOf, type ChangeStatus, type ListedChanges } from "./listed-changes.ts";
import type { ReadPatch } from "./patch-output.ts";

export interface FileChange {
  path: string;
  previousPath: string | null;
  status: ChangeStatus;
  /** The object after the change; null for a deleted file. */
  oid: string | null;
  /** undefined where there was no time to compare it. */
  read: ReadPatch | undefined;
}

export interface FileChanges {
  files: FileChange[];
  truncated: boolean;
}

export interface ChangeLimits {
  files: number;
  /** Of all patches together. */
  patchBytes: number;
}

const contextLines = 3;

/** Of a binary file, and one over 10 MiB, Git only says that it differs. */
export async function changedFiles(
  startGit: StartGit,
  directory: string,
  { list: { files, more }, limits }: { list: ListedChanges; limits: ChangeLimits },
): Promise<FileChanges> {
  const shown = files.slice(0, limits.files);
  const reads = await compareFiles(startGit, directory, {
    pairs: shown,
    options: {
      ignoreWhitespace: false,
      contextLines,
      limits: {
        bytes: limits.patchBytes,
        lines: Number.POSITIVE_INFINITY,
        allBytes: limits.patchBytes,
      },
      timeoutMs: queryTimeoutMs,
    },
  });
  return {
    truncated: more || files.length > shown.length,
    files: shown.map((change, index) => ({
      path: change.path,
      previousPath: change.previousPath,
      status: statusOf(change),
      oid: change.after?.oid ?? null,
      read: reads[index],
    })),
  };
}
