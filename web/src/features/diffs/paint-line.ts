/** A line as pieces that are drawn alike: its colours, cut where words begin or end that changed. */
import type { CodeLine } from "../contents/highlight.ts";
import type { Span } from "./word-diff.ts";

export interface PaintedPiece {
  text: string;
  className: string;
  isChanged: boolean;
}

/** `colors` holds the same text as the line; `changed` is in order. */
export function paintLine(
  text: string,
  { colors = [{ text, className: "" }], changed = [] }: { colors?: CodeLine; changed?: readonly Span[] },
): PaintedPiece[] {
  const cuts = changed.flatMap(({ from, to }) => [from, to]);
  const pieces: PaintedPiece[] = [];
  let start = 0;
  let next = 0;
  for (const { text: whole, className } of colors) {
    const end = start + whole.length;
    let from = start;
    while (from < end) {
      while (next < cuts.length && (cuts[next] ?? 0) <= from) next++;
      const to = Math.min(end, cuts[next] ?? end);
      // Before an odd cut lies what changed: it ends there.
      pieces.push({ text: text.slice(from, to), className, isChanged: next % 2 === 1 });
      from = to;
    }
    start = end;
  }
  return pieces;
}
