/** Files that stand for Git LFS objects (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
import type { WantedObject } from "./lfs.store.ts";

/** The shortest has a size of one digit; the specification limits the longest. */
const minPointerBytes = 120;
export const maxPointerBytes = 1_024;
const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-.*\n)*oid sha256:(?<oid>[0-9a-f]{64})\nsize (?<size>\d{1,15})\n?$/;

/** Whether a file of this size may be one. */
export function mayBePointer(sizeBytes: number): boolean {
  return sizeBytes >= minPointerBytes && sizeBytes <= maxPointerBytes;
}

/** The object that a file stands for; undefined for every other file. */
export function parsePointer(bytes: Buffer): WantedObject | undefined {
  const { oid, size } = pointer.exec(bytes.toString("latin1"))?.groups ?? {};
  return oid === undefined ? undefined : { oid, sizeBytes: Number(size) };
}
