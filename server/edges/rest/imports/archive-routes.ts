/** Binds the operations on exports that are uploaded, to be imported. */
import {
  createImportArchive,
  deleteImportArchive,
  getImportArchive,
  listImportArchives,
} from "@forgeline/schemas/imports/routes.ts";
import type { ImportArchiveService } from "../../../domains/automation/domain.ts";
import { uploadOf } from "../../http/upload-body.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerImportArchiveRoutes(
  app: RouteBinder,
  { importArchives }: { importArchives: ImportArchiveService },
): void {
  app.bind(createImportArchive, async ({ actor, query, raw: { req } }) => {
    const made = await importArchives.create(actor, query.name, uploadOf(req));
    return { body: made, location: made.url };
  });
  app.bind(listImportArchives, async ({ actor }) => ({ body: await importArchives.list(actor) }));
  app.bind(getImportArchive, async ({ actor, params }) => ({
    body: await importArchives.get(actor, params.id),
  }));
  app.bind(deleteImportArchive, ({ actor, params }) => importArchives.remove(actor, params.id));
}
