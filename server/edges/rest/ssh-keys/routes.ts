/** Binds the operations about own SSH keys. */
import { createSshKey, deleteSshKey, getSshKey, listSshKeys } from "@forgeline/schemas/ssh-keys/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentSshKey, type SshKeyService } from "../../../domains/accounts/domain.ts";

export function registerSshKeyRoutes(
  app: RouteBinder,
  deps: { sshKeys: SshKeyService; addresses: Addresses },
): void {
  const { sshKeys, addresses } = deps;
  app.bind(listSshKeys, async ({ actor, query }) => {
    const { rows, total } = await sshKeys.list(actor, query);
    return { body: rows.map((row) => presentSshKey(row, addresses)), total };
  });
  app.bind(getSshKey, async ({ actor, params }) => ({
    body: presentSshKey(await sshKeys.get(actor, params.id), addresses),
  }));
  app.bind(createSshKey, async ({ actor, body }) => {
    const shown = presentSshKey(await sshKeys.add(actor, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bind(deleteSshKey, async ({ actor, params }) => sshKeys.remove(actor, params.id));
}
