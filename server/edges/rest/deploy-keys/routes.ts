/** Binds the operations on deploy keys. */
import {
  createDeployKey,
  deleteDeployKey,
  getDeployKey,
  listDeployKeys,
} from "@forgeline/schemas/deploy-keys/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentDeployKey, type DeployKeyService } from "../../../domains/hosting/domain.ts";

export function registerDeployKeyRoutes(
  app: RouteBinder,
  deps: { deployKeys: DeployKeyService; addresses: Addresses },
): void {
  const { deployKeys, addresses } = deps;
  app.bindRepository(listDeployKeys, async ({ repository, query }) => {
    const { rows, total } = await deployKeys.list(repository, query);
    return { body: rows.map((row) => presentDeployKey(row, repository, addresses)), total };
  });
  app.bindRepository(getDeployKey, async ({ repository, params }) => ({
    body: presentDeployKey(await deployKeys.get(repository, params.id), repository, addresses),
  }));
  app.bindRepository(createDeployKey, async ({ actor, repository, body }) => {
    const shown = presentDeployKey(await deployKeys.add(actor, repository, body), repository, addresses);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(deleteDeployKey, ({ actor, repository, params }) =>
    deployKeys.remove(actor, repository, params.id),
  );
}
