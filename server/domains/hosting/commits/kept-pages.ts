/** Pages of changed files with their patches that were compared before: what lies between two commits stays, and readers come back to it. */
import { createBoundedCache, type BoundedCache } from "../../../platform/bounded-cache.ts";
import type { ChangeWithFacts, ShownDiff } from "./compare-page.ts";

export interface ComparedFile {
  file: ChangeWithFacts;
  shown: ShownDiff;
}

export interface ComparedPage {
  files: readonly ComparedFile[];
  /** Git came to all files that it was to compare; else it may, the next time. */
  isWhole: boolean;
}

const bounds = { maxEntries: 500, maxBytes: 32 * 1024 * 1024 };
const bytesOfFacts = 1_000;

export function createKeptPages(): BoundedCache<ComparedPage> {
  return createBoundedCache({ ...bounds, bytesOf: bytesOfPage });
}

/** Exported for its test. Past every bound for what is not to be kept. */
export function bytesOfPage({ files, isWhole }: ComparedPage): number {
  if (!isWhole) return Number.POSITIVE_INFINITY;
  return files.reduce((sum, file) => sum + bytesOfFacts + bytesOfTexts(file), 0);
}

/** As UTF-16, whatever is in them. */
function bytesOfTexts({ file: { change }, shown }: ComparedFile): number {
  return 2 * (change.path.length + (change.previousPath?.length ?? 0) + (shown.patch?.length ?? 0));
}
