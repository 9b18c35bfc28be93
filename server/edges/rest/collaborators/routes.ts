/** Binds the operations on collaborators. */
import {
  listCollaborators,
  removeCollaborator,
  setCollaborator,
} from "@forgeline/schemas/collaborators/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentCollaborator, type CollaboratorService } from "../../../domains/hosting/domain.ts";

export function registerCollaboratorRoutes(
  app: RouteBinder,
  deps: { collaborators: CollaboratorService; addresses: Addresses },
): void {
  const { collaborators, addresses } = deps;
  app.bindRepository(listCollaborators, async ({ repository, query }) => {
    const { collaborators: listed, total } = await collaborators.list(repository, query);
    return { body: listed.map((one) => presentCollaborator(one, addresses)), total };
  });
  app.bindRepository(setCollaborator, async ({ actor, repository, params, body }) => {
    const wanted = { username: params.username, permission: body.permission };
    return { body: presentCollaborator(await collaborators.set(actor, repository, wanted), addresses) };
  });
  app.bindRepository(removeCollaborator, ({ actor, repository, params }) =>
    collaborators.remove(actor, repository, params.username),
  );
}
