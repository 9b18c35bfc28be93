/** Chosen lines of a file as an address names them: `#L10` or `#L10-L20`. */
export interface LineRange {
  from: number;
  to: number;
}

export function lineRangeOf(hash: string): LineRange | undefined {
  const found = /^#L(\d+)(?:-L?(\d+))?$/.exec(hash);
  if (!found) return undefined;
  const one = Number(found[1]);
  const other = Number(found[2] ?? found[1]);
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

export function hashOf({ from, to }: LineRange): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`;
}
