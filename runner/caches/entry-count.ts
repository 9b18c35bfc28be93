/** Counts what a cache holds against what it may hold: the same bounds for saving and restoring, so that what was saved can be restored. */
import { maxCachePathBytes, maxCachePathsBytes } from "@forgeline/schemas/caches/limits.ts";
import type { CacheLimits } from "@forgeline/schemas/caches/job-messages.ts";
import { CacheError } from "./cache-error.ts";
import type { TarEntry } from "./tar-header.ts";

export interface EntryCount {
  /** Throws `CacheError` past the limits. */
  add(entry: TarEntry): void;
  readonly entries: number;
}

export function createEntryCount(limits: CacheLimits): EntryCount {
  let bytes = 0;
  let entries = 0;
  let pathsBytes = 0;
  return {
    add({ kind, path, target, sizeBytes }) {
      entries += 1;
      if (kind === "file") bytes += sizeBytes;
      if (entries > limits.entries)
        throw new CacheError(`it has more than ${limits.entries} files and directories, which is the limit`);
      if (bytes > limits.bytes)
        throw new CacheError(`its files have more than ${limits.bytes} bytes, which is the limit`);
      const pathBytes = Buffer.byteLength(path);
      if (pathBytes > maxCachePathBytes || Buffer.byteLength(target) > maxCachePathBytes)
        throw new CacheError(`the path of a file has more than ${maxCachePathBytes} bytes`);
      pathsBytes += pathBytes;
      if (pathsBytes > maxCachePathsBytes)
        throw new CacheError(`the paths of its files have more than ${maxCachePathsBytes} bytes together`);
    },
    get entries() {
      return entries;
    },
  };
}
