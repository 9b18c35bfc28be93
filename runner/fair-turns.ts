/**
 * Turns for the rest of the process, given by work that reads and writes many small files in place. Most of that happens in memory, and a
 * turn of the event loop for each file would take several times as long.
 */
import { setImmediate as nextTurn } from "node:timers/promises";

const longestTurnMs = 10;

/** To be asked before each read or write: resolves at once, or after a turn of the others when they have waited for 10 ms. */
export function fairTurns(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs <= longestTurnMs) return;
    await nextTurn();
    sinceMs = performance.now();
  };
}
