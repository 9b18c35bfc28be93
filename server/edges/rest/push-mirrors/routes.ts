/** Binds the operations on the push mirrors of a repository. */
import {
  createPushMirror,
  deletePushMirror,
  getPushMirror,
  listPushMirrors,
  listPushMirrorSyncs,
  syncPushMirror,
  updatePushMirror,
} from "@forgeline/schemas/push-mirrors/routes.ts";
import type { PushMirrorService } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerPushMirrorRoutes(
  app: RouteBinder,
  { pushMirrors }: { pushMirrors: PushMirrorService },
): void {
  app.bindRepository(listPushMirrors, async ({ repository, query }) => {
    const { items, total } = await pushMirrors.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(createPushMirror, async ({ actor, repository, body }) => {
    const created = await pushMirrors.create(actor, repository, body);
    return { body: created, location: created.api_url };
  });
  app.bindRepository(getPushMirror, async ({ repository, params }) => ({
    body: await pushMirrors.get(repository, params.id),
  }));
  app.bindRepository(updatePushMirror, async ({ actor, repository, params, body }) => ({
    body: await pushMirrors.update(actor, repository, { id: params.id, wanted: body }),
  }));
  app.bindRepository(deletePushMirror, ({ actor, repository, params }) =>
    pushMirrors.remove(actor, repository, params.id),
  );
  app.bindRepository(syncPushMirror, async ({ actor, repository, params }) => ({
    body: await pushMirrors.requestSync(actor, repository, params.id),
  }));
  app.bindRepository(listPushMirrorSyncs, async ({ repository, params, query }) => {
    const { items, total } = await pushMirrors.history(repository, params.id, query);
    return { body: items, total };
  });
}
