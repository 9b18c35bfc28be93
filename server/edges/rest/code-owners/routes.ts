/** Binds the operations on code owners. */
import {
  checkCodeOwners,
  getPathOwners,
  listCodeOwnersErrors,
} from "@forgeline/schemas/code-owners/routes.ts";
import type { CodeOwnersService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerCodeOwnersRoutes(
  app: RouteBinder,
  { codeOwners }: { codeOwners: CodeOwnersService },
): void {
  app.bindRepository(listCodeOwnersErrors, async ({ actor, repository, query }) => ({
    body: await codeOwners.errors(actor, repository, query.ref),
  }));
  app.bindRepository(checkCodeOwners, async ({ actor, repository, body }) => ({
    body: await codeOwners.check(actor, repository, body.content),
  }));
  app.bindRepository(getPathOwners, async ({ actor, repository, query }) => ({
    body: await codeOwners.pathOwners(actor, repository, query),
  }));
}
