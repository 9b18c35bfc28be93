/** How long to wait before the next try to connect: exponential with full jitter, so that a fleet spreads out. */

const firstMs = 100;
/** A server that is back is found again within this. */
const maxMs = 2500;

/** `attempt` counts failures since the last success, from 0. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 20)));
}
