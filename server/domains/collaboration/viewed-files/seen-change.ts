/** Whether the change of a file is still the one that somebody has seen. */
import type { ViewedFiles } from "@forgeline/schemas/viewed-files/resource.ts";
import type { ListedChange } from "../../../platform/git/history/listed-changes.ts";
import type { FileSide } from "../../../platform/git/history/tree-difference.ts";
import type { SeenChange } from "./viewed-files.store.ts";

export function seenChange({ before, after }: Pick<ListedChange, "before" | "after">): SeenChange {
  return { before: nameOf(before), after: nameOf(after) };
}

function nameOf(side: FileSide | null): string | null {
  return side && `${side.mode} ${side.oid}`;
}

export function isSame(one: SeenChange, other: SeenChange): boolean {
  return one.before === other.before && one.after === other.after;
}

/** Marks of files that are not changed any more are left out. */
export function sortMarks(
  marks: readonly (SeenChange & { path: string })[],
  files: readonly ListedChange[],
): Pick<ViewedFiles, "viewed" | "changed"> {
  const now = new Map(files.map((file) => [file.path, seenChange(file)]));
  const viewed: string[] = [];
  const changed: string[] = [];
  for (const mark of marks) {
    const change = now.get(mark.path);
    if (change) (isSame(mark, change) ? viewed : changed).push(mark.path);
  }
  return { viewed, changed };
}
