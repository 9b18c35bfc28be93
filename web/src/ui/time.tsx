/** Times and spans for people: near ones relative, the exact one on hover and for machines. */
import { useSyncExternalStore } from "react";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
const maxRelativeDays = 30;

const clockTickMs = 15_000;
/** By how much what has just been may seem to lie ahead: the clock below is slow, and the server's may be ahead of it. */
const aheadSeconds = clockTickMs / 1000 + 5;

/** One clock for all that is shown relative to now. */
let now = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, clockTickMs);

export function useNow(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => now,
  );
}

export function Time({ at }: { at: string }) {
  const current = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {relativeTime(date.getTime(), current)}
    </time>
  );
}

export function relativeTime(timeMs: number, nowMs: number): string {
  const seconds = Math.round((timeMs - nowMs) / 1000);
  if (Math.abs(seconds) > maxRelativeDays * 86_400) return day.format(timeMs);
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return seconds > aheadSeconds ? relative.format(seconds, "second") : "just now";
}

/** `0.4s`, `12s`, `1m 05s`, `2h 03m`. */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return "–";
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 10) return `${Math.max(0, Math.round(seconds * 10) / 10)}s`;
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m ${String(whole % 60).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}
