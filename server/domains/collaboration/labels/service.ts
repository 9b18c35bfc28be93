/** Labels as the maintainers of a repository set them up, and as issues and merge requests name them. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxLabels,
  type Label,
  type LabelCreate,
  type LabelUpdate,
} from "@forgeline/schemas/labels/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { defaultColor } from "./default-color.ts";
import * as store from "./labels.store.ts";
import type { LabelRow } from "./labels.store.ts";
import { presentLabel } from "./present.ts";

export interface LabelService {
  list(
    repository: RepositoryRef,
    wanted: PageQuery & { q?: string | undefined },
  ): Promise<{ items: Label[]; total: number }>;
  /** Throws `not_found`; so do `update` and `remove`. */
  get(repository: RepositoryRef, id: string): Promise<Label>;
  /** Throws `conflict` for a name that is taken, and past the most. */
  create(repository: RepositoryRef, wanted: LabelCreate): Promise<Label>;
  /** Throws `conflict` for a name that is taken. */
  update(repository: RepositoryRef, change: { id: string; wanted: LabelUpdate }): Promise<Label>;
  /** Also takes it off everything it is on. */
  remove(actor: Actor, repository: RepositoryRef, id: string): Promise<void>;
  /**
   * Those of these names, whatever the case, by name and each once; none is deleted until the transaction ends. Throws
   * `validation_failed` on `labels`, with the names that there are none of.
   */
  findByNames(tx: Transaction, repositoryId: string, names: readonly string[]): Promise<LabelRow[]>;
  /** Of the names those that labels have. */
  knownNames(tx: Transaction, repositoryId: string, names: readonly string[]): Promise<string[]>;
}

/** Of the names that nothing has. */
const maxNamed = 10;

export function createLabelService(deps: { db: Database; addresses: Addresses }): LabelService {
  const { db, addresses } = deps;
  return {
    async list(repository, wanted) {
      const { rows, total } = await store.listLabels(db, repository.id, wanted);
      return { items: rows.map((row) => presentLabel(row, repository, addresses)), total };
    },
    get: async (repository, id) =>
      presentLabel(found(await store.findLabel(db, repository.id, id)), repository, addresses),
    async create(repository, wanted) {
      const { name, description, color = defaultColor(name) } = wanted;
      const label = { id: newId("lbl"), name, description, color: color.toLowerCase() };
      const row = await db.transaction(async (tx) => {
        if (!(await store.holdRepository(tx, repository.id))) throw new AppError("not_found");
        if ((await store.countLabels(tx, repository.id)) >= maxLabels)
          throw new AppError("conflict", { message: `A repository can have at most ${maxLabels} labels.` });
        await refuseRival(tx, repository.id, label);
        return store.insertLabel(tx, repository.id, label);
      });
      return presentLabel(row, repository, addresses);
    },
    async update(repository, { id, wanted }) {
      const row = await db.transaction(async (tx) => {
        if (!(await store.holdRepository(tx, repository.id))) throw new AppError("not_found");
        const before = found(await store.findLabel(tx, repository.id, id));
        const { name = before.name, color = before.color, description = before.description } = wanted;
        const label = { id, name, color: color.toLowerCase(), description };
        await refuseRival(tx, repository.id, label);
        return found(await store.updateLabel(tx, repository.id, label));
      });
      return presentLabel(row, repository, addresses);
    },
    async remove(actor, repository, id) {
      await db.transaction(async (tx) => {
        const name = await store.deleteLabel(tx, repository.id, id);
        if (name === undefined) throw new AppError("not_found");
        const target = {
          type: "repository",
          id: repository.id,
          name: `${repository.owner}/${repository.name}`,
        };
        const details = { label_id: id, label: name };
        await recordAudit(tx, actor, { action: "repo.label_delete", target, details });
      });
    },
    async findByNames(tx, repositoryId, names) {
      if (names.length === 0) return [];
      const rows = await store.findByNames(tx, repositoryId, names);
      const known = new Set(rows.map((row) => row.wanted));
      const unknown = names.filter((name) => !known.has(name));
      if (unknown.length === 0) return [...new Map(rows.map((row) => [row.id, row])).values()];
      const list = unknown.slice(0, maxNamed).join(", ") + (unknown.length > maxNamed ? ", …" : "");
      throw invalidField("labels", "unknown", `This repository has no labels of these names: ${list}`);
    },
    async knownNames(tx, repositoryId, names) {
      if (names.length === 0) return [];
      return (await store.findByNames(tx, repositoryId, names)).map(({ wanted }) => wanted);
    },
  };
}

function found(row: LabelRow | undefined): LabelRow {
  if (!row) throw new AppError("not_found");
  return row;
}

async function refuseRival(tx: Transaction, repositoryId: string, label: { id: string; name: string }) {
  if (await store.hasRival(tx, repositoryId, label))
    throw new AppError("conflict", { message: `There is a label ${label.name} already.` });
}
