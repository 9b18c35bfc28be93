/** Variables of a repository, an organization or the instance, as those who may change them see them. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxEnvironmentVariablesBytes,
  maxVariables,
  maxVariablesBytes,
  type Variable,
} from "@forgeline/schemas/variables/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import {
  environmentOfOwner,
  placeOf,
  targetOfOwner,
  type VariableOwner,
  type VariablePlace,
} from "./place.ts";
import { presentVariable } from "./present.ts";
import { variableBytes } from "./run-variables.ts";
import * as store from "./variables.store.ts";

export interface VariableService {
  /** By name. */
  list(owner: VariableOwner, page: PageQuery): Promise<{ items: Variable[]; total: number }>;
  /** Adds or replaces it; safe to repeat. Throws `conflict` past the bounds of a level. */
  set(actor: Actor, owner: VariableOwner, wanted: { name: string; value: string }): Promise<Variable>;
  /** Throws `not_found`. */
  remove(actor: Actor, owner: VariableOwner, name: string): Promise<void>;
}

export function createVariableService({ db }: { db: Database }): VariableService {
  return {
    async list(owner, page) {
      const { rows, total } = await store.listVariables(db, await placeOf(db, owner), page);
      return { items: rows.map(presentVariable), total };
    },
    set(actor, owner, wanted) {
      return db.transaction(async (tx) => {
        const place = await placeOf(tx, owner);
        if (!(await store.holdOwner(tx, place))) throw new AppError("not_found");
        await refuseTooMuch(tx, place, wanted);
        const isNew = await store.putVariable(tx, place, { ...wanted, changedBy: userIdOf(actor) });
        const details = { name: wanted.name, new: isNew };
        await record(tx, { actor, owner }, { action: "variable.set", details });
        const row = await store.findVariable(tx, place, wanted.name);
        if (!row) throw new AppError("not_found");
        return presentVariable(row);
      });
    },
    remove: (actor, owner, name) =>
      db.transaction(async (tx) => {
        if (!(await store.deleteVariable(tx, await placeOf(tx, owner), name)))
          throw new AppError("not_found");
        await record(tx, { actor, owner }, { action: "variable.delete", details: { name } });
      }),
  };
}

async function refuseTooMuch(
  tx: Transaction,
  place: VariablePlace,
  wanted: { name: string; value: string },
): Promise<void> {
  const { count, bytes } = await store.sumOthers(tx, place, wanted.name);
  if (count >= maxVariables)
    throw new AppError("conflict", { message: `There can be at most ${maxVariables} variables here.` });
  const own = variableBytes(wanted.name, wanted.value);
  if (place.environmentId !== null) await refuseTooMuchOfAll(tx, place.environmentId, { ...wanted, own });
  const sum = bytes + own;
  if (sum <= maxVariablesBytes) return;
  const message = `Names and values of the variables here would be ${sum} bytes together; at most ${maxVariablesBytes} fit into the environment of a step.`;
  throw new AppError("conflict", { message });
}

/** Every run of the repository keeps those of all its environments. */
async function refuseTooMuchOfAll(
  tx: Transaction,
  environmentId: string,
  { name, own }: { name: string; own: number },
): Promise<void> {
  const sum = (await store.sumOfEnvironments(tx, environmentId, name)) + own;
  if (sum <= maxEnvironmentVariablesBytes) return;
  const message = `The variables of all environments of the repository would be ${sum} bytes together; at most ${maxEnvironmentVariablesBytes} are allowed.`;
  throw new AppError("conflict", { message });
}

/** Values are not recorded: entries of the audit log stay when a value is long replaced. */
async function record(
  tx: Transaction,
  { actor, owner }: { actor: Actor; owner: VariableOwner },
  { action, details }: Pick<AuditEntry, "action" | "details">,
): Promise<void> {
  await recordAudit(tx, actor, {
    action,
    target: targetOfOwner(owner),
    details: { ...environmentOfOwner(owner), ...details },
  });
}
