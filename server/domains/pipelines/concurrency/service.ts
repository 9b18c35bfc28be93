/** Concurrency groups for people: who holds a slot, who waits, and releasing one by hand. */
import type { ConcurrencyGroup } from "@forgeline/schemas/concurrency/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";
import { listOfOrganization, listOfRepository } from "./groups.store.ts";
import { presentGroup } from "./present.ts";
import { endOne, findOne, lockGroups } from "./slots.store.ts";
import { settle } from "./take-slots.ts";

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
  /** Throws `not_found`, and `conflict` for a slot that waits. */
  release(actor: Actor, repository: RepositoryRef, slotId: string): Promise<void>;
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
        const slot = await findOne(tx, repository.id, slotId);
        if (!slot) throw new AppError("not_found");
        await lockGroups(tx, [slot]);
        if (!(await endOne(tx, repository.id, slotId)))
          throw new AppError("conflict", {
            message: "This slot is not held or expected. To end what waits, cancel its run.",
          });
        await settle(tx, slot);
        await tx.notify("run", slot.pipelineId);
        await recordAudit(tx, actor, {
          action: "pipeline.release_slot",
          target: {
            type: "pipeline",
            id: slot.pipelineId,
            name: `${repository.owner}/${repository.name}#${slot.number}`,
          },
          details: { group: slot.group, scope: slot.scope, state: slot.state },
        });
      }),
  };
}
