/** What of a changed file is shown at first, and what only when somebody asks for it. */
import { isImageName } from "../contents/file-content.ts";
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
  const lines = (file.additions ?? 0) + (file.deletions ?? 0);
  const isLarge = lines > largeFromLines || (file.patch ?? "").length > largeFromChars;
  return isLarge || file.patch_omitted === "too_large" ? "large" : undefined;
}

export function isImageChange(file: FileDiff): boolean {
  return file.binary && file.kind === "file" && !file.lfs && isImageName(file.path);
}

/** Null where the modes say nothing that the status or kind does not. */
export function changedMode(file: FileDiff): { before: string; after: string } | null {
  const { mode, previous_mode: previous } = file;
  if (mode === null || previous === null || mode === previous) return null;
  return { before: previous, after: mode };
}

const remPerLine = 1.22;
const otherRem = 4;

/** About how high the file is drawn. */
export function estimatedRem(file: FileDiff): number {
  if (file.patch === null || file.patch === "" || foldedAs(file) !== undefined) return otherRem;
  let lines = 1;
  for (let at = file.patch.indexOf("\n"); at !== -1; at = file.patch.indexOf("\n", at + 1)) lines++;
  return lines * remPerLine;
}
