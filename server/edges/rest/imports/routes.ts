/** Binds the operations on imports from other hosts. */
import {
  cancelImport,
  createImport,
  getImport,
  getImportReport,
  listImports,
  retryImport,
} from "@forgeline/schemas/imports/routes.ts";
import type { ImportService } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerImportRoutes(
  app: RouteBinder,
  { importService: imports }: { importService: ImportService },
): void {
  app.bind(createImport, async ({ actor, body }) => ({ body: await imports.create(actor, body) }));
  app.bind(listImports, async ({ actor, query }) => {
    const { items, total } = await imports.list(actor, query);
    return { body: items, total };
  });
  app.bind(getImport, async ({ actor, params }) => ({ body: await imports.get(actor, params.id) }));
  app.bind(getImportReport, async ({ actor, params, query }) => {
    const { items, total } = await imports.report(actor, params.id, query);
    return { body: items, total };
  });
  app.bind(cancelImport, async ({ actor, params }) => ({ body: await imports.cancel(actor, params.id) }));
  app.bind(retryImport, async ({ actor, params, body }) => ({
    body: await imports.retry(actor, params.id, body),
  }));
}
