/** Whether the last day of something has passed where the reader is. */

/** `dueOn`: `YYYY-MM-DD`. */
export function isOverdue(dueOn: string | null, nowMs: number): boolean {
  if (dueOn === null) return false;
  const now = new Date(nowMs);
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const parts = dueOn.split("-").map(Number);
  const differs = parts.findIndex((part, at) => part !== today[at]);
  return differs >= 0 && (parts[differs] ?? 0) < (today[differs] ?? 0);
}
