/** Days of a query: `2026-11-30`, `>2026-11-30`, `<=2026-11-30`, `2026-11-01..2026-11-30`, with `*` for an open end. In UTC. */

/** Undefined where it is no such text. `before` does not belong to it. */
export function readDays(text: string): { from: string | null; before: string | null } | undefined {
  const range = text.split("..");
  if (range.length === 2) return between(range[0] ?? "", range[1] ?? "");
  const [, sign = "", day = ""] = /^(>=|<=|>|<)?(.*)$/s.exec(text) ?? [];
  if (!isDay(day)) return undefined;
  switch (sign) {
    case ">":
      return { from: dayAfter(day), before: null };
    case ">=":
      return { from: day, before: null };
    case "<":
      return { from: null, before: day };
    case "<=":
      return { from: null, before: dayAfter(day) };
    default:
      return { from: day, before: dayAfter(day) };
  }
}

function between(first: string, last: string) {
  if (![first, last].every((end) => end === "*" || isDay(end))) return undefined;
  return { from: first === "*" ? null : first, before: last === "*" ? null : dayAfter(last) };
}

function isDay(text: string): boolean {
  if (!/^(?:19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const dayMs = 86_400_000;

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}
