/** Which refs a client requests by their prefixes: tens of thousands of each, and everybody else waits meanwhile. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Git's own rule: from here on none counts, and all refs are told. */
export const tooManyPrefixes = 65_536;

const prefixesInOneTurn = 1_000;

/**
 * For each name whether it begins with one of the prefixes. `names` are sorted, so those that one prefix means stand side by side, and
 * are found without looking at the others. Gives others their turns of the event loop.
 */
export async function matchPrefixes(
  names: readonly string[],
  prefixes: readonly string[],
): Promise<(index: number) => boolean> {
  // How many more ranges there are from here on; fewer, where some end.
  const changes = new Int32Array(names.length + 1);
  for (const [n, prefix] of prefixes.entries()) {
    if (n % prefixesInOneTurn === prefixesInOneTurn - 1) await nextTurn();
    const from = firstFrom(names, 0, (name) => name >= prefix);
    changes[from]! += 1;
    changes[firstFrom(names, from, (name) => !name.startsWith(prefix))]! -= 1;
  }
  for (let index = 1; index < changes.length; index += 1) changes[index]! += changes[index - 1]!;
  return (index) => changes[index]! > 0;
}

/** Where the condition begins to hold, and then does to the end. */
function firstFrom(names: readonly string[], start: number, holds: (name: string) => boolean): number {
  let [low, high] = [start, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(names[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
