/** Of rules for branches: that merge requests go by a queue, and how it works. */
import { z } from "zod";

export const maxBatchSize = 20;
export const maxWaitMinutes = 1_440;
export const maxParallelBatches = 5;

const maxBatch = z
  .int()
  .min(1)
  .max(maxBatchSize)
  .describe("Merge requests that are tested and land together, at most.");
const waitMinutes = z
  .int()
  .min(1)
  .max(maxWaitMinutes)
  .describe("How long the runs of a batch may take; past it they count as failed.");

const parallelBatches = z
  .int()
  .min(1)
  .max(maxParallelBatches)
  .describe("Batches that are tested at once, at most, each on top of the one before it.");

export const MergeQueueSettings = z
  .object({ max_batch: maxBatch, max_wait_minutes: waitMinutes, parallel_batches: parallelBatches })
  .meta({ id: "MergeQueueSettings" });
export type MergeQueueSettings = z.infer<typeof MergeQueueSettings>;

export const WantedMergeQueue = z
  .strictObject({
    max_batch: maxBatch.default(5),
    max_wait_minutes: waitMinutes.default(60),
    parallel_batches: parallelBatches.default(1),
  })
  .meta({ id: "WantedMergeQueue", examples: [{ max_batch: 5, max_wait_minutes: 60 }] });

/** Rules of earlier releases say nothing of several batches. */
export type StoredMergeQueue = Omit<MergeQueueSettings, "parallel_batches"> & Partial<MergeQueueSettings>;

export function mergeQueueOf(stored: StoredMergeQueue): MergeQueueSettings {
  return { ...stored, parallel_batches: stored.parallel_batches ?? 1 };
}
