/** Binds the operations on deploy keys. */
import type { DeployKey } from "@forgeline/schemas/deploy-keys/resource.ts";
import {
  createDeployKey,
  deleteDeployKey,
  getDeployKey,
  listDeployKeys,
} from "@forgeline/schemas/deploy-keys/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../../domains/policy/domain.ts";
import type { DeployKeyRow } from "../../../domains/accounts/domain.ts";
import type { DeployKeyService } from "../../../domains/hosting/domain.ts";

export function registerDeployKeyRoutes(
  app: RouteBinder,
  deps: { deployKeys: DeployKeyService; addresses: Addresses },
): void {
  const { deployKeys, addresses } = deps;
  app.bindRepository(listDeployKeys, async ({ repository, query }) => {
    const { rows, total } = await deployKeys.list(repository, query);
    return { body: rows.map((row) => present(row, repository, addresses)), total };
  });
  app.bindRepository(getDeployKey, async ({ repository, params }) => ({
    body: present(await deployKeys.get(repository, params.id), repository, addresses),
  }));
  app.bindRepository(createDeployKey, async ({ actor, repository, body }) => {
    const shown = present(await deployKeys.add(actor, repository, body), repository, addresses);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(deleteDeployKey, ({ actor, repository, params }) =>
    deployKeys.remove(actor, repository, params.id),
  );
}

function present(row: DeployKeyRow, repository: RepositoryRef, addresses: Addresses): DeployKey {
  const name = `${repository.owner}/${repository.name}`;
  return {
    id: row.id,
    title: row.title,
    permission: row.permission,
    kind: row.kind,
    key: row.public_key,
    fingerprint: row.fingerprint,
    added_by: row.added_by,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/repos/${name}/deploy-keys/${row.id}`,
    web_url: `${addresses.webUrl}/${name}/settings/deploy-keys#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
