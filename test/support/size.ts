/**
 * How much the tests do that try many cases: a little in `npm test`, all of it with `FORGELINE_HOSTILE=full`, as
 * `npm run hostile` and `npm run fuzz` set it. And the seed of what they make up.
 */
import { randomInt } from "node:crypto";

export const isFull = process.env["FORGELINE_HOSTILE"] === "full";
/** Runners with a rootless Docker daemon are tried as well: at full size, or alone with `FORGELINE_HOSTILE=rootless`. */
export const hasRootless = isFull || process.env["FORGELINE_HOSTILE"] === "rootless";

export function size(small: number, full: number): number {
  return isFull ? full : small;
}

/** Of cases of which each takes seconds: the telling ones, and at full size the others too. */
export function telling<T>(small: readonly T[], others: readonly T[]): readonly T[] {
  return isFull ? [...small, ...others] : small;
}

const given = process.env["FORGELINE_SEED"];
const smallSeed = 20_261_121;

/** The same in every `npm test`, another each time at full size. It stands in the names of tests: `FORGELINE_SEED` repeats one. */
export const seed = given ? Number(given) : size(smallSeed, randomInt(2 ** 31));
