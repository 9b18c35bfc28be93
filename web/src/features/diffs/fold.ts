/** What of a changed file is shown at first, and what only when somebody asks for it. */
import { isImageName } from "../contents/file-content.ts";
import { gapsOf } from "./gaps.ts";
import { parsePatch } from "./parse-patch.ts";
import type { FileDiff } from "./source.ts";

export type Folded = "deleted" | "generated" | "lfs" | "large";

const largeFromLines = 400;
const largeFromChars = 60_000;

/** Undefined for what is shown at once. */
export function foldedAs(file: FileDiff): Folded | undefined {
  if (file.kind === "submodule" || file.binary) return undefined;
  if (file.lfs) return "lfs";
  if (file.status === "deleted") return "deleted";
  if (file.generated) return "generated";
  // Of some, how many lines changed is not known. Others are left out only because there is so much else on the page.
  const lines = (file.additions ?? Infinity) + (file.deletions ?? Infinity);
  return lines > largeFromLines || (file.patch ?? "").length > largeFromChars ? "large" : undefined;
}

export function isImageChange(file: FileDiff): boolean {
  return file.binary && file.kind === "file" && !file.lfs && isImageName(file.path);
}

/** Files up to here are fetched as a whole to show lines that a patch leaves out. */
const maxBytes = 5_000_000;

export function canShowLines({ kind, lfs, raw_url: url, size }: FileDiff): boolean {
  return kind === "file" && !lfs && url !== null && size !== null && size <= maxBytes;
}

/** Null where the modes say nothing that the status or kind does not. */
export function changedMode(file: FileDiff): { before: string; after: string } | null {
  const { mode, previous_mode: previous } = file;
  if (mode === null || previous === null || mode === previous) return null;
  return { before: previous, after: mode };
}

/** Whether there are lines around its changes that can be fetched. */
export function leavesLinesOut(file: FileDiff): boolean {
  if (!file.patch || foldedAs(file) !== undefined || !canShowLines(file)) return false;
  return gapsOf(parsePatch(file.patch)).some(({ count }) => count !== 0);
}

/** How high a line is drawn, unless it is broken. */
export const remPerLine = 1.22;
const otherRem = 4;

/** About how high the file is drawn. */
export function estimatedRem(file: FileDiff): number {
  if (file.patch === null || file.patch === "" || foldedAs(file) !== undefined) return otherRem;
  let lines = 1;
  for (let at = file.patch.indexOf("\n"); at !== -1; at = file.patch.indexOf("\n", at + 1)) lines++;
  return lines * remPerLine;
}
