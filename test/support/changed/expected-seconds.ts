/** How long test files will take: as they did when they last ran here, else roughly. */
import { slowFiles } from "../longest-first.ts";
import type { Seconds } from "./choose.ts";

/** Starting the bed, and ending it. */
const bedSeconds = 12;
const lanes = 2;

/** Of files that never ran here; the first that fits counts. */
const usual: readonly [start: string, seconds: number][] = [
  ["test/unit/", 0.3],
  ["test/contract/", 0.5],
  ["test/integration/faults/", 30],
  ["test/integration/launcher/", 40],
  ["test/integration/git/", 8],
  ["test/integration/runner/", 8],
  ["test/integration/", 3],
  ["test/web/", 40],
  ["test/", 5],
];

/** `known`: seconds by path below `test/`. */
export function expectedSeconds(known: Readonly<Record<string, number>>): Seconds {
  return (test) => {
    const name = test.replace(/^test\//, "");
    return known[name] ?? slowFiles[name] ?? usual.find(([start]) => test.startsWith(start))?.[1] ?? 0;
  };
}

export function expectedRunSeconds(tests: readonly string[], seconds: Seconds): number {
  const all = tests.map(seconds);
  return bedSeconds + Math.max(...all, all.reduce((total, one) => total + one, 0) / lanes);
}
