/** The files that suggestions are about, read for one answer: each once, and no more than the bounds allow. */
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import { indexLines, type IndexedFile } from "./replace-lines.ts";

const mib = 1024 * 1024;
/** Larger files are not read: what suggests something for them is outdated. */
export const maxFileBytes = mib;
/** Anybody may ask for the list. */
const maxFiles = 200;
const maxAllBytes = 16 * mib;

export interface ReviewedFiles {
  /** Null for a file that is not there any more or is too large, and of a commit that is not kept; `too_much` past the bounds. */
  read(sha: string, path: string): Promise<IndexedFile | "too_much" | null>;
}

export function createReviewedFiles(
  files: Pick<RepositoryFiles, "readFile">,
  repositoryId: string,
): ReviewedFiles {
  const known = new Map<string, IndexedFile | null>();
  let allBytes = 0;
  return {
    async read(sha, path) {
      const key = `${sha} ${path}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      if (known.size >= maxFiles || allBytes >= maxAllBytes) return "too_much";
      const found = await files.readFile(repositoryId, { sha, path, maxBytes: maxFileBytes });
      const read = found?.bytes ? indexLines(found.bytes) : null;
      allBytes += read?.bytes.length ?? 0;
      known.set(key, read);
      return read;
    },
  };
}
