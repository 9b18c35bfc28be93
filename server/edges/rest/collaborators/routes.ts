/** Binds the operations on collaborators. */
import type { Collaborator } from "@forgeline/schemas/collaborators/resource.ts";
import {
  listCollaborators,
  removeCollaborator,
  setCollaborator,
} from "@forgeline/schemas/collaborators/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentUser } from "../../../domains/accounts/domain.ts";
import type { CollaboratorOf, CollaboratorService } from "../../../domains/hosting/domain.ts";

export function registerCollaboratorRoutes(
  app: RouteBinder,
  deps: { collaborators: CollaboratorService; addresses: Addresses },
): void {
  const { collaborators, addresses } = deps;
  app.bindRepository(listCollaborators, async ({ repository, query }) => {
    const { collaborators: listed, total } = await collaborators.list(repository, query);
    return { body: listed.map((one) => present(one, addresses)), total };
  });
  app.bindRepository(setCollaborator, async ({ actor, repository, params, body }) => {
    const wanted = { username: params.username, permission: body.permission };
    return { body: present(await collaborators.set(actor, repository, wanted), addresses) };
  });
  app.bindRepository(removeCollaborator, ({ actor, repository, params }) =>
    collaborators.remove(actor, repository, params.username),
  );
}

function present({ user, row }: CollaboratorOf, addresses: Addresses): Collaborator {
  return {
    user: presentUser(user, addresses),
    permission: row.permission,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
