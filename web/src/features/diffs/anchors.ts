/**
 * Addresses of files and lines within a page of changes: `#diff-src/main.ts`, and `:L4` or `:R4` after it for a line before or after
 * the change.
 */
export type Side = "L" | "R";

export interface Anchor {
  path: string;
  line?: { side: Side; number: number };
}

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

/** Undefined for addresses of something else, and for those that nobody was given. */
export function anchorOf(hash: string): Anchor | undefined {
  const found = /^#diff-([^:]+)(?::([LR])([1-9]\d{0,8}))?$/.exec(hash);
  if (!found) return undefined;
  try {
    const path = decodeURIComponent(found[1] ?? "");
    const [, , side, number] = found;
    return side ? { path, line: { side: side as Side, number: Number(number) } } : { path };
  } catch {
    return undefined;
  }
}
