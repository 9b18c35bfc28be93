/** Binds the operations about own OpenPGP keys. */
import { createGpgKey, deleteGpgKey, getGpgKey, listGpgKeys } from "@forgeline/schemas/gpg-keys/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentGpgKey, type GpgKeyService } from "../../../domains/accounts/domain.ts";

export function registerGpgKeyRoutes(
  app: RouteBinder,
  deps: { gpgKeys: GpgKeyService; addresses: Addresses },
): void {
  const { gpgKeys, addresses } = deps;
  app.bind(listGpgKeys, async ({ actor, query }) => {
    const { rows, total } = await gpgKeys.list(actor, query);
    return { body: rows.map((row) => presentGpgKey(row, addresses)), total };
  });
  app.bind(getGpgKey, async ({ actor, params }) => ({
    body: presentGpgKey(await gpgKeys.get(actor, params.id), addresses),
  }));
  app.bind(createGpgKey, async ({ actor, body }) => {
    const shown = presentGpgKey(await gpgKeys.add(actor, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bind(deleteGpgKey, async ({ actor, params }) => gpgKeys.remove(actor, params.id));
}
