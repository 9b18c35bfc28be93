/** Transfers of repositories as the REST interface shows them. */
import type { RepositoryTransfer } from "@forgeline/schemas/repository-transfers/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentOwner, presentRepository } from "../repositories/present.ts";
import type { Transfer } from "./service.ts";

export function presentTransfer({ view, offer }: Transfer, addresses: Addresses): RepositoryTransfer {
  const { row } = view;
  const newOwner = offer
    ? { owner_id: offer.receiver_id, owner: offer.receiver, owner_kind: offer.receiver_kind }
    : row;
  return {
    status: offer ? "pending" : "done",
    new_owner: presentOwner(newOwner, addresses),
    may_accept: offer?.is_receiver ?? false,
    requested_by: offer?.requested_by ?? null,
    expires_at: (offer?.expires_at ?? row.updated_at).toISOString(),
    created_at: (offer?.created_at ?? row.updated_at).toISOString(),
    repository: presentRepository(view, addresses),
  };
}
