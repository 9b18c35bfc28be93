/** How large caches can be, whatever the operator allows. */
import { pipelineLimits } from "../pipeline-limits/limits.ts";

/** Of one job, whatever administrators set. */
export const maxCaches = pipelineLimits.caches.highest;
/** Of a key, as written and once its expressions are evaluated. */
export const maxCacheKeyChars = 512;
export const maxRestorePrefixes = 10;
/** Of one entry: 4,000 parts of 8 MiB. */
export const maxCacheParts = 4_000;
/** Of a file's path in an entry, in bytes. */
export const maxCachePathBytes = 4_096;
/** Of the paths of one entry together: whoever restores it has to remember them. */
export const maxCachePathsBytes = 256 * 1024 * 1024;
