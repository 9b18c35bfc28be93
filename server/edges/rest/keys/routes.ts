/** Binds the instance's encryption keys and their replacement. */
import {
  getInstanceKeys,
  getKeyRotation,
  listKeyRotations,
  rotateKey,
} from "@forgeline/schemas/keys/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentKey, presentRotation, type KeyService } from "../../../domains/operation/domain.ts";

export function registerKeyRoutes(
  app: RouteBinder,
  { keys, addresses }: { keys: KeyService; addresses: Addresses },
): void {
  app.bind(getInstanceKeys, async () => ({ body: { keys: (await keys.list()).map(presentKey) } }));
  app.bind(listKeyRotations, async ({ query }) => {
    const { rows, total } = await keys.listRotations(query);
    return { body: rows.map((row) => presentRotation(row, addresses)), total };
  });
  app.bind(rotateKey, async ({ actor }) => ({ body: presentRotation(await keys.rotate(actor), addresses) }));
  app.bind(getKeyRotation, async ({ params }) => ({
    body: presentRotation(await keys.getRotation(params.id), addresses),
  }));
}
