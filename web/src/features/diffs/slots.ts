/** What pages add to changed files. */
import type { ReactNode } from "react";
import type { PatchLine } from "./parse-patch.ts";
import type { FileDiff } from "./source.ts";

/** Keep the object the same between renderings: every line is drawn anew with another one. */
export interface DiffSlots {
  /** At the end of a file's head. */
  ofFile?: (file: FileDiff) => ReactNode;
  /** Below a line; nothing for most of them. */
  belowLine?: (file: FileDiff, line: PatchLine) => ReactNode;
}
