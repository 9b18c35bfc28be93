/** How large artifacts can be, whatever the operator allows. */
import { pipelineLimits } from "../pipeline-limits/limits.ts";
const mib = 1024 * 1024;

/** Artifacts travel and are stored in parts of this size; the last one is smaller. */
export const partBytes = 8 * mib;
/** Of one job, whatever administrators set. */
export const maxArtifacts = pipelineLimits.artifacts.highest;
/** Of one artifact; the form of the file has room for 65,534. */
export const maxArtifactFiles = 50_000;
/** Of the list of files at its end. */
export const maxIndexBytes = 16 * mib;
/** Of a file's path, in bytes. */
export const maxPathBytes = 1_024;
/** Of one artifact: what the form of the file can address. */
export const maxArtifactBytes = 4_000_000_000;

export function partCount(sizeBytes: number): number {
  return Math.ceil(sizeBytes / partBytes);
}

/** Of the part with this number, of an artifact of this size. */
export function sizeOfPart(number: number, sizeBytes: number): number {
  return Math.min(partBytes, sizeBytes - number * partBytes);
}
