/** Binds the operations on merge queues. */
import {
  addToMergeQueue,
  getMergeQueue,
  moveInMergeQueue,
  removeFromMergeQueue,
  updateMergeQueue,
} from "@forgeline/schemas/merge-queue/routes.ts";
import type { MergeQueueService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerMergeQueueRoutes(
  app: RouteBinder,
  { mergeQueue }: { mergeQueue: MergeQueueService },
): void {
  app.bindRepository(getMergeQueue, async ({ actor, query, ...granted }) => ({
    body: await mergeQueue.show(actor, granted, query.branch),
  }));
  app.bindRepository(addToMergeQueue, async ({ actor, body, ...granted }) => {
    const { entry, url } = await mergeQueue.add(actor, granted, body);
    return { body: entry, location: url };
  });
  app.bindRepository(removeFromMergeQueue, ({ actor, params, ...granted }) =>
    mergeQueue.remove(actor, granted, params.number),
  );
  app.bindRepository(moveInMergeQueue, async ({ actor, params, ...granted }) => ({
    body: await mergeQueue.moveToFront(actor, granted, params.number),
  }));
  app.bindRepository(updateMergeQueue, async ({ actor, body, ...granted }) => ({
    body: await mergeQueue.update(actor, granted, body),
  }));
}
