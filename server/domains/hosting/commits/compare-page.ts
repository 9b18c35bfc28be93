/** Which files of a page are compared, and how much of the differences is shown. */
import type { ListedChange } from "../../../platform/git/history/listed-changes.ts";
import type { PatchLimits, ReadPatch } from "../../../platform/git/history/patch-output.ts";
import type { FileFacts } from "./file-facts.ts";

export interface DiffLimits {
  patch: PatchLimits;
  /** Of either side of a file that is compared. */
  fileBytes: number;
  /** Of all sides of all files that are compared. */
  allFileBytes: number;
  /** For what Git does not come to in it there is no patch: some texts of a mebibyte take it many seconds. */
  timeoutMs: number;
}

const mib = 1024 * 1024;

const fileBytes = 10 * mib;

export const pageLimits: DiffLimits = {
  patch: { bytes: 400_000, lines: 3_000, allBytes: 2 * mib },
  fileBytes,
  allFileBytes: 64 * mib,
  timeoutMs: 8_000,
};

export const fileLimits: DiffLimits = {
  patch: { bytes: 10 * mib, lines: Number.POSITIVE_INFINITY, allBytes: 10 * mib },
  fileBytes,
  allFileBytes: 2 * fileBytes,
  timeoutMs: 20_000,
};

/** A file of a page, with what is known of it so far. */
export interface ChangeWithFacts {
  change: ListedChange;
  facts: FileFacts;
}

/** For each file, whether Git may compare its sides. */
export function comparable(files: readonly ChangeWithFacts[], limits: DiffLimits): boolean[] {
  let sum = 0;
  return files.map(({ facts }) => {
    const [before, after] = [facts.sizeBefore ?? 0, facts.sizeAfter ?? 0];
    if (Math.max(before, after) > limits.fileBytes) return false;
    if (sum + before + after > limits.allFileBytes) return false;
    sum += before + after;
    return true;
  });
}

export interface ShownDiff {
  additions: number | null;
  deletions: number | null;
  binary: boolean;
  patch: string | null;
  patch_omitted: "binary" | "too_large" | null;
}

/** `read` is undefined for a file that was not compared. */
export function shownDiff(read: ReadPatch | undefined): ShownDiff {
  if (!read) {
    return { additions: null, deletions: null, binary: false, patch: null, patch_omitted: "too_large" };
  }
  const { lines, patch } = read;
  if (!lines) return { additions: null, deletions: null, binary: true, patch: null, patch_omitted: "binary" };
  return { ...lines, binary: false, patch, patch_omitted: patch === null ? "too_large" : null };
}
