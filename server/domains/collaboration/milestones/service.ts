/** Milestones as the maintainers of a repository set them up, and as issues and merge requests name them. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxMilestones,
  type Milestone,
  type MilestoneCreate,
  type MilestoneState,
  type MilestoneUpdate,
} from "@forgeline/schemas/milestones/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import * as store from "./milestones.store.ts";
import type { MilestoneRow } from "./milestones.store.ts";
import { presentMilestone } from "./present.ts";

export interface MilestoneService {
  list(
    repository: RepositoryRef,
    wanted: PageQuery & { state: MilestoneState | "all" },
  ): Promise<{ items: Milestone[]; total: number }>;
  /** Throws `not_found`; so do `update` and `remove`. */
  get(repository: RepositoryRef, id: string): Promise<Milestone>;
  /** Throws `conflict` for a title that is taken, and past the most. */
  create(repository: RepositoryRef, wanted: MilestoneCreate): Promise<Milestone>;
  /** Throws `conflict` for a title that is taken. */
  update(repository: RepositoryRef, change: { id: string; wanted: MilestoneUpdate }): Promise<Milestone>;
  /** Its issues stay, without a milestone. */
  remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void>;
  /** Not deleted until the transaction ends. Throws `validation_failed` on `milestone` where there is none. */
  find(tx: Transaction, repositoryId: string, id: string): Promise<{ id: string; title: string }>;
  /** Not deleted until the transaction ends. Undefined: there is none of this title, whatever its case. */
  findByTitle(tx: Transaction, repositoryId: string, title: string): Promise<{ id: string } | undefined>;
}

export function createMilestoneService(deps: { db: Database; addresses: Addresses }): MilestoneService {
  const { db, addresses } = deps;

  async function find(from: Queryable, repository: RepositoryRef, id: string): Promise<MilestoneRow> {
    const row = await store.findMilestone(from, repository.id, id);
    if (!row) throw new AppError("not_found");
    return row;
  }
  const show = async (from: Queryable, repository: RepositoryRef, id: string) =>
    presentMilestone(await find(from, repository, id), repository, addresses);

  return {
    async list(repository, wanted) {
      const { rows, total } = await store.listMilestones(db, repository.id, wanted);
      return { items: rows.map((row) => presentMilestone(row, repository, addresses)), total };
    },
    get: (repository, id) => show(db, repository, id),
    create: (repository, wanted) =>
      db.transaction(async (tx) => {
        const milestone = { id: newId("mst"), ...wanted };
        await hold(tx, repository.id);
        if ((await store.countMilestones(tx, repository.id)) >= maxMilestones) {
          const message = `A repository can have at most ${maxMilestones} milestones.`;
          throw new AppError("conflict", { message });
        }
        await refuseRival(tx, repository.id, milestone);
        await store.insertMilestone(tx, repository.id, milestone);
        return show(tx, repository, milestone.id);
      }),
    update: (repository, { id, wanted }) =>
      db.transaction(async (tx) => {
        await hold(tx, repository.id);
        const before = await find(tx, repository, id);
        const {
          title = before.title,
          description = before.description,
          due_on = before.due_on,
          state = before.state,
        } = wanted;
        await refuseRival(tx, repository.id, { id, title });
        await store.updateMilestone(tx, repository.id, { id, title, description, due_on, state });
        return show(tx, repository, id);
      }),
    async remove(actor, repository, id) {
      await db.transaction(async (tx) => {
        const title = await store.deleteMilestone(tx, repository.id, id);
        if (title === undefined) throw new AppError("not_found");
        const target = {
          type: "repository",
          id: repository.id,
          name: `${repository.owner}/${repository.name}`,
        };
        const details = { milestone_id: id, milestone: title };
        await recordAudit(tx, actor, { action: "repo.milestone_delete", target, details });
      });
    },
    findByTitle: (tx, repositoryId, title) => tx.one(store.statements.holdByTitle, [repositoryId, title]),
    async find(tx, repositoryId, id) {
      const row = await store.holdMilestone(tx, repositoryId, id);
      if (!row) throw invalidField("milestone", "unknown", "This repository has no such milestone.");
      return row;
    },
  };
}

async function hold(tx: Transaction, repositoryId: string): Promise<void> {
  if (!(await store.holdRepository(tx, repositoryId))) throw new AppError("not_found");
}

async function refuseRival(tx: Transaction, repositoryId: string, milestone: { id: string; title: string }) {
  if (await store.hasRival(tx, repositoryId, milestone))
    throw new AppError("conflict", { message: `There is a milestone ${milestone.title} already.` });
}
