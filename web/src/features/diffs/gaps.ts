/** The unchanged lines that a patch leaves out, and those of them that somebody asked for. */
import { numberOf, sideOf } from "./anchors.ts";
import type { Hunk, PatchLine } from "./parse-patch.ts";

export interface Gap {
  /** Numbers of its first line. */
  before: number;
  after: number;
  /** Null: up to the end of a file whose length is not known. */
  count: number | null;
}

/** Lines to show of a gap, from its beginning and up to its end. */
export interface Opened {
  top: number;
  bottom: number;
}

export const linesPerStep = 20;
/** More of them at once would hold up the page. */
export const linesAtOnce = 2_000;
const contextLines = 3;

/** One before each hunk and one after the last; `lineCount`: of the file after the change, where it is known. */
export function gapsOf(hunks: readonly Hunk[], lineCount?: number): Gap[] {
  const gaps: Gap[] = [];
  let [before, after] = [1, 1];
  for (const hunk of hunks) {
    gaps.push({ before, after, count: Math.max(0, hunk.after.start - after) });
    before = hunk.before.end;
    after = hunk.after.end;
  }
  gaps.push({ before, after, count: restOf(hunks, lineCount) });
  return gaps;
}

/** A hunk with less than the usual context after its last change reaches the end of the file. */
function restOf(hunks: readonly Hunk[], lineCount: number | undefined): number | null {
  const last = hunks.at(-1);
  if (!last) return 0;
  if (lineCount !== undefined) return Math.max(0, lineCount - last.after.end + 1);
  const tail = last.lines.slice(-contextLines);
  const isCut = tail.length === contextLines && tail.every(({ kind }) => kind === "context");
  return isCut && !tail.at(-1)?.isUnended ? null : 0;
}

export interface OpenedGap {
  top: PatchLine[];
  /** Those that stay out; null as in `Gap`. */
  rest: number | null;
  bottom: PatchLine[];
}

/** `lines`: of the file after the change; undefined as long as nothing of it is there. */
export function openGap(gap: Gap, { top, bottom }: Opened, lines: readonly string[] | undefined): OpenedGap {
  if (!lines || gap.count === null) return { top: [], rest: gap.count, bottom: [] };
  const shownTop = Math.min(top, gap.count);
  const shownBottom = Math.min(bottom, gap.count - shownTop);
  const rest = gap.count - shownTop - shownBottom;
  const linesFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, index): PatchLine => {
      const at = first + index;
      const text = lines[gap.after + at - 1] ?? "";
      return { kind: "context", before: gap.before + at, after: gap.after + at, text };
    });
  return { top: linesFrom(0, shownTop), rest, bottom: linesFrom(shownTop + rest, shownBottom) };
}

/** What to open so that a line is seen; undefined where no gap holds it, or it is too far within. */
export function gapWith(
  gaps: readonly Gap[],
  side: "L" | "R",
  line: number,
): { index: number; opened: Opened } | undefined {
  for (const [index, gap] of gaps.entries()) {
    const at = line - (side === "L" ? gap.before : gap.after);
    const fromEnd = gap.count === null ? Infinity : gap.count - at;
    if (at < 0 || fromEnd <= 0) continue;
    const reach = Math.min(at, fromEnd) + linesPerStep;
    if (reach > linesAtOnce) return undefined;
    return { index, opened: at < fromEnd ? { top: reach, bottom: 0 } : { top: 0, bottom: reach } };
  }
  return undefined;
}

/** Whether a line, `L4` or `R4`, is in the patch, or in a gap that can be opened that far. */
export function isReachable(hunks: readonly Hunk[], name: string, canOpen: boolean): boolean {
  const [side, line] = [sideOf(name), numberOf(name)];
  const isInPatch = hunks.some((hunk) => {
    const { start, end } = side === "L" ? hunk.before : hunk.after;
    return line >= start && line < end;
  });
  return isInPatch || (canOpen && gapWith(gapsOf(hunks), side, line) !== undefined);
}
