/** Binds the operations that give a repository to another owner. */
import {
  acceptTransfer,
  cancelTransfer,
  getTransfer,
  listOwnTransfers,
  requestTransfer,
} from "@forgeline/schemas/repository-transfers/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  presentRepository,
  presentTransfer,
  type RepositoryTransfers,
} from "../../../domains/hosting/domain.ts";

export function registerTransferRoutes(
  app: RouteBinder,
  deps: { repositoryTransfers: RepositoryTransfers; addresses: Addresses },
): void {
  const { repositoryTransfers: transfers, addresses } = deps;
  app.bindRepository(requestTransfer, async ({ actor, repository, body, level }) => ({
    body: presentTransfer(await transfers.request(actor, { repository, level }, body.new_owner), addresses),
  }));
  app.bindRepository(getTransfer, async ({ actor, repository, level }) => ({
    body: presentTransfer(await transfers.get(actor, { repository, level }), addresses),
  }));
  app.bind(listOwnTransfers, async ({ actor, query }) => {
    const { transfers: listed, total } = await transfers.listOwn(actor, query);
    return { body: listed.map((transfer) => presentTransfer(transfer, addresses)), total };
  });
  app.bindRepository(acceptTransfer, async ({ actor, repository }) => ({
    body: presentRepository(await transfers.accept(actor, repository), addresses),
  }));
  app.bindRepository(cancelTransfer, ({ actor, repository, level }) =>
    transfers.cancel(actor, { repository, level }),
  );
}
