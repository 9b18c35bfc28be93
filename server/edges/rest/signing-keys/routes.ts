/** Binds the operations on keys that sign jobs. */
import * as contracts from "@forgeline/schemas/signing-keys/routes.ts";
import type { SigningKeyService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerSigningKeyRoutes(
  app: RouteBinder,
  { signingKeys }: { signingKeys: SigningKeyService },
): void {
  app.bind(contracts.listSigningKeys, async ({ query }) => {
    const { items, total } = await signingKeys.list(null, query);
    return { body: items, total };
  });
  app.bind(contracts.createSigningKey, async ({ actor }) => {
    const created = await signingKeys.create(actor, null);
    return { body: created, location: created.url };
  });
  app.bind(contracts.deleteSigningKey, ({ actor, params }) => signingKeys.remove(actor, null, params.id));
  app.bindRepository(contracts.listRepositorySigningKeys, async ({ repository, query }) => {
    const { items, total } = await signingKeys.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(contracts.createRepositorySigningKey, async ({ actor, repository }) => {
    const created = await signingKeys.create(actor, repository);
    return { body: created, location: created.url };
  });
  app.bindRepository(contracts.deleteRepositorySigningKey, ({ actor, repository, params }) =>
    signingKeys.remove(actor, repository, params.id),
  );
}
