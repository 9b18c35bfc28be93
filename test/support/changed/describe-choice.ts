/** What is said before the chosen tests run: what changed, how many tests that leads to, why, and how long they will take. */
import type { Choice } from "./choose.ts";

const maxReasons = 6;

export interface Chosen extends Choice {
  since: string;
  changed: readonly string[];
  /** How many test files there are. */
  all: number;
  /** Of the whole run, with its set-up. */
  seconds: number;
}

export function describeChoice({
  since,
  changed,
  tests,
  all,
  leftOut,
  touchingAll,
  seconds,
}: Chosen): string[] {
  if (changed.length === 0) return [`nothing differs from ${since}: no test is chosen`];
  const begin = `${count(changed.length, "file")} changed since ${since}`;
  if (tests.size === 0) return [`${begin}: they touch no test`];
  return [
    begin,
    ...(touchingAll === undefined
      ? []
      : [`${touchingAll} can touch everything: run npm test; until then a choice from all`]),
    `${tests.size} of ${count(all, "test file")}: ${reasons([...tests.values()])}`,
    `about ${time(seconds)}${leftOut === 0 ? "" : `; ${leftOut} more that may be touched are left to the whole run`}`,
  ];
}

/** The commonest first. */
function reasons(whys: readonly string[]): string {
  const counted = Object.entries(Object.groupBy(whys, (why) => why))
    .map(([why, list = []]): [string, number] => [why, list.length])
    .toSorted(([, a], [, b]) => b - a);
  const shown = counted.slice(0, maxReasons).map(([why, times]) => `${times} ${why}`);
  const others = counted.slice(maxReasons).reduce((total, [, times]) => total + times, 0);
  return [...shown, ...(others === 0 ? [] : [`${others} for other reasons`])].join(", ");
}

function time(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
