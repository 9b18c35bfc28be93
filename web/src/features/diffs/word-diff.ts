/** Which words of a line differ from those of the line that stands beside it. */
import { diffArrays } from "diff";
import { pairLines } from "./pair-lines.ts";
import type { PatchLine } from "./parse-patch.ts";

/** Part of a line: characters from `from`, without that at `to`. */
export interface Span {
  from: number;
  to: number;
}

export interface LineSpans {
  before: Span[];
  after: Span[];
}

const maxChars = 1_000;
const maxEdits = 200;
/** Lines that have less in common are marked as a whole: spots all over them explain nothing. */
const leastCommon = 0.3;

const words = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Undefined where the lines are too long or have too little in common. */
export function wordDiff(before: string, after: string): LineSpans | undefined {
  if (before.length > maxChars || after.length > maxChars) return undefined;
  const changes = diffArrays(before.match(words) ?? [], after.match(words) ?? [], {
    maxEditLength: maxEdits,
  });
  if (!changes) return undefined;
  const spans: LineSpans = { before: [], after: [] };
  const at = { before: 0, after: 0 };
  let common = 0;
  for (const { value, added, removed } of changes) {
    const text = value.join("");
    if (!added && !removed) common += text.trim().length;
    if (removed) spans.before.push({ from: at.before, to: at.before + text.length });
    if (added) spans.after.push({ from: at.after, to: at.after + text.length });
    if (!added) at.before += text.length;
    if (!removed) at.after += text.length;
  }
  const longer = Math.max(before.trim().length, after.trim().length);
  return common < longer * leastCommon ? undefined : spans;
}

/** The differing words of all lines of a hunk that stand beside another one. */
export function wordDiffs(lines: readonly PatchLine[]): ReadonlyMap<PatchLine, readonly Span[]> {
  const found = new Map<PatchLine, readonly Span[]>();
  for (const { before, after } of pairLines(lines)) {
    if (before?.kind !== "removed" || after?.kind !== "added") continue;
    const spans = wordDiff(before.text, after.text);
    if (!spans) continue;
    found.set(before, spans.before);
    found.set(after, spans.after);
  }
  return found;
}
