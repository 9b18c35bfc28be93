/** Binds the operations on threads. */
import {
  createThread,
  createThreadComment,
  getThread,
  listThreadComments,
  listThreads,
  reopenThread,
  resolveThread,
} from "@forgeline/schemas/threads/routes.ts";
import type { ThreadService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerThreadRoutes(app: RouteBinder, { threads }: { threads: ThreadService }): void {
  app.bindRepository(listThreads, async ({ actor, params, query, ...granted }) => {
    const { items, total } = await threads.list(actor, granted, { ...query, number: params.number });
    return { body: items, total };
  });
  app.bindRepository(createThread, async ({ actor, params, body, ...granted }) => {
    const made = await threads.create(actor, granted, { ...body, number: params.number });
    return { body: made, location: made.url };
  });
  app.bindRepository(getThread, async ({ actor, params, ...granted }) => ({
    body: await threads.get(actor, granted, params),
  }));
  app.bindRepository(listThreadComments, async ({ actor, params, query, ...granted }) => {
    const { items, total } = await threads.comments(actor, granted, { ...params, ...query });
    return { body: items, total };
  });
  app.bindRepository(createThreadComment, async ({ actor, params, body, ...granted }) => {
    const made = await threads.reply(actor, granted, { ...params, ...body });
    return { body: made, location: made.url };
  });
  app.bindRepository(resolveThread, async ({ actor, params, ...granted }) => ({
    body: await threads.setResolved(actor, granted, { ...params, resolved: true }),
  }));
  app.bindRepository(reopenThread, async ({ actor, params, ...granted }) => ({
    body: await threads.setResolved(actor, granted, { ...params, resolved: false }),
  }));
}
