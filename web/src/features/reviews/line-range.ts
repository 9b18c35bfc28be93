/** Lines of one side of a changed file that a comment is about. */
import type { Side } from "../diffs/anchors.ts";
import type { Thread } from "./review.ts";

export interface LineRange {
  path: string;
  side: Side;
  /** Both are among them. */
  start: number;
  end: number;
}

/** From one line to another of the same side, whichever comes first. */
export function rangeBetween(path: string, from: string, to: string): LineRange | undefined {
  const side = from[0] === "L" ? "L" : "R";
  if (!to.startsWith(side)) return undefined;
  const [one, other] = [Number(from.slice(1)), Number(to.slice(1))];
  return { path, side, start: Math.min(one, other), end: Math.max(one, other) };
}

/** `L4` or `R4`: the line below which a comment about these lines stands. */
export function lastLineOf({ side, end }: LineRange): string {
  return `${side}${end}`;
}

export function holdsLine({ side, start, end }: LineRange, name: string): boolean {
  const line = Number(name.slice(1));
  return name.startsWith(side) && line >= start && line <= end;
}

/** As operations of the API want it. */
export function placeOf({ path, side, start, end }: LineRange) {
  const lines = { side: side === "L" ? ("old" as const) : ("new" as const), line: end };
  return start === end ? { path, ...lines } : { path, ...lines, start_line: start };
}

/** Where a thread stands in the newest state of the code; null for one about a whole file, and for outdated ones. */
export function rangeOf({ side, outdated, current }: Thread): LineRange | null {
  const end = current?.line ?? null;
  if (outdated || !current || end === null) return null;
  return { path: current.path, side: side === "old" ? "L" : "R", start: current.start_line ?? end, end };
}
