/** Binds the lists of templates for new repositories. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { listGitignoreTemplates, listLicenses } from "@forgeline/schemas/templates/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import { presentLicense, type Gitignores, type Licenses } from "../../../domains/hosting/domain.ts";

export function registerTemplateRoutes(
  app: RouteBinder,
  { licenses, gitignores }: { licenses: Licenses; gitignores: Gitignores },
): void {
  app.bind(listLicenses, async ({ query }) => {
    const all = await licenses.list();
    return { body: pageOf(all, query).map(presentLicense), total: all.length };
  });
  app.bind(listGitignoreTemplates, async ({ query }) => {
    const all = await gitignores.list();
    return { body: pageOf(all, query).map((name) => ({ name })), total: all.length };
  });
}

function pageOf<T>(all: readonly T[], { page, per_page: size }: PageQuery): T[] {
  return all.slice((page - 1) * size, page * size);
}
