/** The days of which statistics tell. Pure. */

export interface Period {
  /** The first and the last day, such as `2026-11-28`, in UTC. */
  since: string;
  until: string;
  days: number;
  /** Every day, the first one first. */
  all: readonly string[];
}

const dayMs = 24 * 60 * 60 * 1000;

/** So many whole days, that of `nowMs` included: so the same question has the same answer until something ends. */
export function lastDays(days: number, nowMs: number): Period {
  const all = Array.from({ length: days }, (_none, at) =>
    new Date(nowMs - (days - 1 - at) * dayMs).toISOString().slice(0, 10),
  );
  return { since: all[0] ?? "", until: all.at(-1) ?? "", days, all };
}
