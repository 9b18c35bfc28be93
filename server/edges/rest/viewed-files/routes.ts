/** Binds the operations on what somebody has seen of a merge request. */
import {
  getChangesSince,
  getPatchSince,
  getViewedFiles,
  listFilesChangedSince,
  removeViewedFile,
  setSeen,
  setViewedFile,
} from "@forgeline/schemas/viewed-files/routes.ts";
import type { ChangesSinceService, ViewedFileService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export interface ViewedFileRoutesDeps {
  viewedFiles: ViewedFileService;
  changesSince: ChangesSinceService;
}

export function registerViewedFileRoutes(
  app: RouteBinder,
  { viewedFiles, changesSince }: ViewedFileRoutesDeps,
): void {
  app.bindRepository(getViewedFiles, async ({ actor, params, ...granted }) => ({
    body: await viewedFiles.list(actor, granted, params.number),
  }));
  app.bindRepository(setViewedFile, ({ actor, params, body, ...granted }) =>
    viewedFiles.set(actor, granted, { ...body, number: params.number }),
  );
  app.bindRepository(removeViewedFile, ({ actor, params, query, ...granted }) =>
    viewedFiles.remove(actor, granted, { ...query, number: params.number }),
  );
  app.bindRepository(setSeen, ({ actor, params, body, ...granted }) =>
    viewedFiles.setSeen(actor, granted, { ...body, number: params.number }),
  );
  app.bindRepository(getChangesSince, async ({ actor, params, query, ...granted }) => ({
    body: await changesSince.get(actor, granted, { ...query, number: params.number }),
  }));
  app.bindRepository(listFilesChangedSince, async ({ actor, params, query, revalidate, ...granted }) => {
    const wanted = { ...query, number: params.number, revalidate };
    const { files, total, truncated } = await changesSince.files(actor, granted, wanted);
    return { body: files, total, ...(truncated ? { headers: { "X-Files-Truncated": "true" } } : {}) };
  });
  app.bindRepository(getPatchSince, async ({ actor, params, query, ...granted }) => ({
    body: await changesSince.patch(actor, granted, { ...query, number: params.number }),
  }));
}
