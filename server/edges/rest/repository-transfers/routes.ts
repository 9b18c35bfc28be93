/** Binds the operations that give a repository to another owner. */
import type { Repository } from "@forgeline/schemas/repositories/resource.ts";
import type { RepositoryTransfer } from "@forgeline/schemas/repository-transfers/resource.ts";
import {
  acceptTransfer,
  cancelTransfer,
  getTransfer,
  listOwnTransfers,
  requestTransfer,
} from "@forgeline/schemas/repository-transfers/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  presentOwner,
  createRepositoryShow,
  type RepositoryService,
  type RepositoryTransfers,
  type Transfer,
} from "../../../domains/hosting/domain.ts";

export function registerTransferRoutes(
  app: RouteBinder,
  deps: {
    repositories: Pick<RepositoryService, "get" | "visibleNames">;
    repositoryTransfers: RepositoryTransfers;
    addresses: Addresses;
  },
): void {
  const { repositoryTransfers: transfers, addresses } = deps;
  type Level = Repository["permissions"];
  const show = createRepositoryShow(deps);
  const presentOffer = ({ row, offer }: Transfer, repository: Repository): RepositoryTransfer => ({
    status: offer ? "pending" : "done",
    new_owner: presentOwner(
      offer ? { owner_id: offer.receiver_id, owner: offer.receiver, owner_kind: offer.receiver_kind } : row,
      addresses,
    ),
    may_accept: offer?.is_receiver ?? false,
    requested_by: offer?.requested_by ?? null,
    expires_at: (offer?.expires_at ?? row.updated_at).toISOString(),
    created_at: (offer?.created_at ?? row.updated_at).toISOString(),
    repository,
  });
  const present = async (actor: Actor, transfer: Transfer, level: Level): Promise<RepositoryTransfer> =>
    presentOffer(transfer, await show.one(actor, transfer.row, level));
  app.bindRepository(requestTransfer, async ({ actor, repository, body, level }) => ({
    body: await present(actor, await transfers.request(actor, repository, body.new_owner), level),
  }));
  app.bindRepository(getTransfer, async ({ actor, repository, level }) => {
    const offer = await transfers.get(actor, { repository, level });
    return { body: await present(actor, { row: await deps.repositories.get(repository.id), offer }, level) };
  });
  app.bind(listOwnTransfers, async ({ actor, query }) => {
    const { transfers: listed, total } = await transfers.listOwn(actor, query);
    const shown = await show.all(
      actor,
      listed.map(({ row }) => row),
    );
    return { body: shown.map((repository, at) => presentOffer(listed[at]!, repository)), total };
  });
  app.bindRepository(acceptTransfer, async ({ actor, repository }) => ({
    body: await show.one(actor, await transfers.accept(actor, repository), "admin"),
  }));
  app.bindRepository(cancelTransfer, ({ actor, repository, level }) =>
    transfers.cancel(actor, { repository, level }),
  );
}
