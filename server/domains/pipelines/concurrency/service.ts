/** Concurrency groups for people: who holds a slot, who waits, and releasing one by hand. */
import type { ConcurrencyGroup } from "@forgeline/schemas/concurrency/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";
import { listOfOrganization, listOfRepository } from "./groups.store.ts";
import { presentGroup } from "./present.ts";
import { recordAtFormerOwner, recordAtRun, releaseSlot } from "./release-slot.ts";
import { findOfOrganization, findOfRepository } from "./release-slot.store.ts";

export interface ConcurrencyService {
  /** Groups that runs of the repository use; runs of other repositories in them are not named. */
  ofRepository(
    repository: RepositoryRef,
    query: PageQuery,
  ): Promise<{ items: ConcurrencyGroup[]; total: number }>;
  /** Those with `scope: org`, for owners. */
  ofOrganization(
    organization: OrganizationRef,
    query: PageQuery,
  ): Promise<{ items: ConcurrencyGroup[]; total: number }>;
  /** One that a run of the repository has. Throws `not_found`, and `conflict` for a slot that waits. */
  release(actor: Actor, repository: Pick<RepositoryRef, "id">, slotId: string): Promise<void>;
  /** One of a group of the organization, also if the repository of its run has left. Throws like `release`. */
  releaseOfOrganization(actor: Actor, organization: OrganizationRef, slotId: string): Promise<void>;
}

export function createConcurrencyService({
  db,
  addresses,
}: {
  db: Database;
  addresses: { baseUrl: string; webUrl: string };
}): ConcurrencyService {
  return {
    async ofRepository(repository, query) {
      const { rows, total } = await listOfRepository(db, repository.id, query);
      const view = { ...addresses, repositoryId: repository.id };
      return { items: rows.map((row) => presentGroup(row, view)), total };
    },
    async ofOrganization(organization, query) {
      const { rows, total } = await listOfOrganization(db, organization.id, query);
      const view = { ...addresses, repositoryId: null };
      return { items: rows.map((row) => presentGroup(row, view)), total };
    },
    release: (actor, repository, slotId) =>
      db.transaction(async (tx) => {
        const found = await findOfRepository(tx, repository.id, slotId);
        await releaseSlot(tx, found, (slot) => recordAtRun(tx, actor, { slot }));
      }),
    releaseOfOrganization: (actor, organization, slotId) =>
      db.transaction(async (tx) => {
        const found = await findOfOrganization(tx, organization.id, slotId);
        await releaseSlot(tx, found, (slot) =>
          slot.isOwners
            ? recordAtRun(tx, actor, { slot })
            : recordAtFormerOwner(tx, actor, { slot, organization }),
        );
      }),
  };
}
