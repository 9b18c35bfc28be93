/** What pages add to changed files. */
import type { ComponentType, ReactNode } from "react";
import type { Side } from "./anchors.ts";
import type { PatchLine } from "./parse-patch.ts";
import type { FileDiff } from "./source.ts";
import type { ChangedFiles } from "./use-changed-files.ts";

/** What stands below a line: before the change (`L`) or after it (`R`). Nothing for most lines. */
export type BelowLine = (line: PatchLine, side: Side) => ReactNode;

/** Something of a file that has its own line: `L4` or `R4`. */
export type LineName = string;

/**
 * Keep the object the same between renderings: every line is drawn anew with another one. The hooks are called for each file that is
 * drawn, so that a change to one file draws only that one anew.
 */
export interface DiffSlots {
  /** At the end of a file's head. `setOpen` folds and unfolds the file. */
  ofFile?: (file: FileDiff, setOpen: (isOpen: boolean) => void) => ReactNode;
  /** Whether the file is folded until somebody opens it. */
  useFolded?: (file: FileDiff) => boolean;
  /** Above a file's lines. `isShown`: whether a line stands among them. */
  aboveLines?: (file: FileDiff, isShown: (line: LineName) => boolean) => ReactNode;
  /** Lines that are shown though the patch leaves them out, in a file that is drawn though it is long. The same array until they change. */
  useWantedLines?: (file: FileDiff) => readonly LineName[];
  useBelowLine?: (file: FileDiff) => BelowLine | undefined;
  /** Draws the table of a file's lines within itself. */
  Around?: ComponentType<{ file: FileDiff; children: ReactNode }>;
  /** Beside the choices of how changes are shown. */
  ofToolbar?: () => ReactNode;
  /** Below the files that are there so far. */
  afterFiles?: (found: ChangedFiles) => ReactNode;
}

export const noLines: readonly LineName[] = [];

/** For slots that are not filled: hooks are called all the same. */
export const emptySlots = {
  useFolded: (_file: FileDiff): boolean => false,
  useWantedLines: (_file: FileDiff): readonly LineName[] => noLines,
  useBelowLine: (_file: FileDiff): BelowLine | undefined => undefined,
};
