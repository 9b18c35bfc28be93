/** Wires the merge queue for the domain. */
import type { Platform } from "../../../platform/platform.ts";
import type { Hosting } from "../../hosting/domain.ts";
import type { Pipelines } from "../../pipelines/domain.ts";
import type { MergeRequestChanges } from "../merge-requests/changes.ts";
import type { QueuedMerging } from "../merge-requests/queued-merging.ts";
import type { MergeRequirements } from "../merge-requests/requirements/service.ts";
import type { WorkItems } from "../work-items/work-items.ts";
import { createMergeQueueAdvance } from "./advance.ts";
import { createBatchEnds } from "./batch.ts";
import { createBatchLanding } from "./land-batch.ts";
import { createBatchMaker } from "./make-batch.ts";
import { createMergeQueueMetrics } from "./metrics.ts";
import { createMergeQueueService } from "./service.ts";

export interface MergeQueueParts {
  platform: Platform;
  hosting: Hosting;
  pipelines: Pipelines;
  workItems: WorkItems;
  changes: MergeRequestChanges;
  merging: QueuedMerging;
  requirements: MergeRequirements;
}

export function createMergeQueue({ platform, hosting, pipelines: ofRuns, ...parts }: MergeQueueParts) {
  const { mergeQueueRuns: runs } = ofRuns;
  const shared = { ...platform, ...parts, runs, pushes: hosting.pushes };
  const metrics = createMergeQueueMetrics(platform.metrics, platform.db);
  const ends = createBatchEnds({ ...shared, metrics });
  const landing = createBatchLanding({ ...shared, ends, metrics });
  const makeBatch = createBatchMaker({ ...shared, ends });
  return {
    mergeQueue: createMergeQueueService(shared),
    mergeQueueAdvance: createMergeQueueAdvance({ ...shared, ends, landing, makeBatch }),
  };
}
