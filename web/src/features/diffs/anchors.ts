/**
 * Addresses of files and lines within a page of changes: `#diff-src/main.ts`, and `:L4` or `:R4` after it for a line before or after
 * the change, or `:R4-R9` for several.
 */
export type Side = "L" | "R";

export interface Anchor {
  path: string;
  line?: AnchoredLines;
}

/** `last`: of several, which begin at `number`. */
export interface AnchoredLines {
  side: Side;
  number: number;
  last?: number;
}

/** Those that an address names are drawn at once: a longer range is cut. */
const mostLines = 1_000;

/** Both the `id` of the file's section and, after `#`, its address. */
export function fileId(path: string): string {
  return `diff-${path.split("/").map(encodeURIComponent).join("/")}`;
}

export function lineId(path: string, side: Side, number: number): string {
  return `${fileId(path)}:${side}${number}`;
}

/** Of the name of a line, `L4` or `R4`. */
export function sideOf(line: string): Side {
  return line.startsWith("L") ? "L" : "R";
}

export function numberOf(line: string): number {
  return Number(line.slice(1));
}

/** `L4`, or `R4-R9`: how a table of changes gets what the address names, so that the same lines are the same value. */
export function linesName({ side, number, last = number }: AnchoredLines): string {
  return last === number ? `${side}${number}` : `${side}${number}-${side}${last}`;
}

/** Of such a name. */
export function linesOf(name: string): { side: Side; first: number; last: number } {
  const [from = "", to = from] = name.split("-");
  return { side: sideOf(from), first: numberOf(from), last: numberOf(to) };
}

export function holdsNumber(name: string, side: Side, number: number | null | undefined): boolean {
  const lines = linesOf(name);
  if (number === null || number === undefined || lines.side !== side) return false;
  return number >= lines.first && number <= lines.last;
}

/** From one line to another, as addresses with `#`; the other one alone where both are not on one side of one file. */
export function hashBetween(from: string, to: string): string {
  const [one, other] = [anchorOf(from), anchorOf(to)];
  if (!one?.line || !other?.line || one.path !== other.path || one.line.side !== other.line.side) return to;
  const numbers = [one.line.number, other.line.number];
  const lines = { side: one.line.side, number: Math.min(...numbers), last: Math.max(...numbers) };
  return `#${fileId(one.path)}:${linesName(lines)}`;
}

/** Undefined for addresses of something else, and for those that nobody was given. */
export function anchorOf(hash: string): Anchor | undefined {
  const found = /^#diff-([^:]+)(?::([LR])([1-9]\d{0,8})(?:-\2([1-9]\d{0,8}))?)?$/.exec(hash);
  if (!found) return undefined;
  try {
    const path = decodeURIComponent(found[1] ?? "");
    const [, , side, from, to] = found;
    return side ? { path, line: linesBetween(side as Side, Number(from), Number(to ?? from)) } : { path };
  } catch {
    return undefined;
  }
}

function linesBetween(side: Side, one: number, other: number): AnchoredLines {
  const number = Math.min(one, other);
  const last = Math.min(Math.max(one, other), number + mostLines - 1);
  return last === number ? { side, number } : { side, number, last };
}
