/** Binds the operations on the mirror of a repository. */
import {
  deleteMirror,
  getMirror,
  listMirrorSyncs,
  previewMirror,
  setMirror,
  syncMirror,
} from "@forgeline/schemas/mirrors/routes.ts";
import type { MirrorService, PreviewMirror } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

interface MirrorRouteDeps {
  mirrors: MirrorService;
  previewMirror: PreviewMirror;
}

export function registerMirrorRoutes(
  app: RouteBinder,
  { mirrors, previewMirror: preview }: MirrorRouteDeps,
): void {
  app.bindRepository(getMirror, async ({ repository }) => ({ body: await mirrors.get(repository) }));
  app.bindRepository(setMirror, async ({ actor, repository, body }) => ({
    body: await mirrors.set(actor, repository, body),
  }));
  app.bindRepository(deleteMirror, ({ actor, repository }) => mirrors.remove(actor, repository));
  app.bindRepository(syncMirror, async ({ actor, repository }) => ({
    body: await mirrors.requestSync(actor, repository),
  }));
  app.bindRepository(previewMirror, async ({ repository, body }) => ({
    body: await preview(repository, body),
  }));
  app.bindRepository(listMirrorSyncs, async ({ repository, query }) => {
    const { items, total } = await mirrors.history(repository, query);
    return { body: items, total };
  });
}
