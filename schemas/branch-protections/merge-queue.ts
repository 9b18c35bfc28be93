/** Of rules for branches: that merge requests go by a queue, and how it works. */
import { z } from "zod";

export const maxBatchSize = 20;
export const maxWaitMinutes = 1_440;

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

export const MergeQueueSettings = z
  .object({ max_batch: maxBatch, max_wait_minutes: waitMinutes })
  .meta({ id: "MergeQueueSettings" });
export type MergeQueueSettings = z.infer<typeof MergeQueueSettings>;

export const WantedMergeQueue = z
  .strictObject({ max_batch: maxBatch.default(5), max_wait_minutes: waitMinutes.default(60) })
  .meta({ id: "WantedMergeQueue", examples: [{ max_batch: 5, max_wait_minutes: 60 }] });
