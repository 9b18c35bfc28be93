/** Binds the operations about own SSH keys. */
import type { SshKey } from "@forgeline/schemas/ssh-keys/resource.ts";
import { createSshKey, deleteSshKey, getSshKey, listSshKeys } from "@forgeline/schemas/ssh-keys/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { SshKeyService, SshKeyRow } from "../../../domains/accounts/domain.ts";

export function registerSshKeyRoutes(
  app: RouteBinder,
  deps: { sshKeys: SshKeyService; addresses: Addresses },
): void {
  const { sshKeys, addresses } = deps;
  app.bind(listSshKeys, async ({ actor, query }) => {
    const { rows, total } = await sshKeys.list(actor, query);
    return { body: rows.map((row) => present(row, addresses)), total };
  });
  app.bind(getSshKey, async ({ actor, params }) => ({
    body: present(await sshKeys.get(actor, params.id), addresses),
  }));
  app.bind(createSshKey, async ({ actor, body }) => {
    const shown = present(await sshKeys.add(actor, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bind(deleteSshKey, async ({ actor, params }) => sshKeys.remove(actor, params.id));
}

function present(row: SshKeyRow, addresses: Addresses): SshKey {
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    key: row.public_key,
    fingerprint: row.fingerprint,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/user/keys/${row.id}`,
    web_url: `${addresses.webUrl}/settings/keys#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
