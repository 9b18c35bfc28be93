/**
 * Positions of events that a follower has read past because they were not visible yet (`docs/architecture/events.md`). Pure.
 */
export interface Gap {
  from: number;
  to: number;
  /** The number below which every transaction must have ended before the gap is given up; decimal, as it exceeds 2^53. */
  horizon: string;
}

export interface Cursor {
  position: number;
  gaps: readonly Gap[];
}

export interface Observed {
  /** Positions that were read, rising: those in gaps, and those after the cursor's position. */
  read: readonly number[];
  /** The oldest transaction that was open before they were read. */
  oldestBefore: string;
  /** The number that the next transaction gets, asked after they were read. */
  nextAfter: string;
  /** All that were visible were read; otherwise an event may be visible in a gap that would be given up. */
  isAll: boolean;
}

/** The cursor after these events. */
export function advance(cursor: Cursor, { read, oldestBefore, nextAfter, isAll }: Observed): Cursor {
  const seen = new Set(read);
  const open = cursor.gaps
    .filter(({ horizon }) => !isAll || BigInt(oldestBefore) < BigInt(horizon))
    .flatMap((gap) => without(gap, seen));
  const found: Gap[] = [];
  let { position } = cursor;
  for (const next of read) {
    if (next <= position) continue;
    if (next > position + 1) found.push({ from: position + 1, to: next - 1, horizon: nextAfter });
    position = next;
  }
  return { position, gaps: [...open, ...found] };
}

/** What is left of a gap when some of its positions were seen. */
function without(gap: Gap, seen: ReadonlySet<number>): Gap[] {
  const inside = [...seen]
    .filter((position) => position >= gap.from && position <= gap.to)
    .sort((a, b) => a - b);
  const parts: Gap[] = [];
  let { from } = gap;
  for (const position of inside) {
    if (position > from) parts.push({ ...gap, from, to: position - 1 });
    from = position + 1;
  }
  if (from <= gap.to) parts.push({ ...gap, from });
  return parts;
}
