/**
 * How many different sets of runner labels an owner may have queued. Each claim of each runner looks at every set that fits
 * the runner, so their number is what one owner can cost all others.
 */
import type { Transaction } from "../../../platform/db/database.ts";
import { countSets, readSets } from "./label-sets.store.ts";

/** In all repositories of one owner; the first set of each repository is not counted. */
export const maxSets = 250;

export interface LabelSetLimit {
  /** Null if a job that requests `labels` may be queued, which then counts it; otherwise a message for people. */
  take(labels: readonly string[]): Promise<string | null>;
}

interface Queued {
  /** Those of the repository, as JSON. */
  sets: Set<string>;
  /** Those of the owner that count; null until they are needed. */
  counted: number | null;
}

/** Reads the queue at the first call. A run that needs a further set makes others of the same owner wait until the commit. */
export function createLabelSetLimit(tx: Transaction, repositoryId: string): LabelSetLimit {
  let queued: Queued | undefined;
  return {
    async take(labels) {
      const set = JSON.stringify(labels);
      queued ??= {
        sets: new Set((await readSets(tx, repositoryId)).map((queuedSet) => JSON.stringify(queuedSet))),
        counted: null,
      };
      if (queued.sets.has(set)) return null;
      if (queued.sets.size > 0) {
        queued.counted ??= await countSets(tx, repositoryId);
        if (queued.counted >= maxSets) return tooMany;
        queued.counted += 1;
      }
      queued.sets.add(set);
      return null;
    },
  };
}

const tooMany =
  `The repositories of this owner have ${maxSets} more sets of runner labels queued than repositories, which is the limit; ` +
  "a job with another set can be queued when some of them have begun.";
