/** Secrets as their owners manage them: written, listed and deleted, but never read. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxSecrets,
  type Secret,
  type SecretPut,
  type SecretUse,
} from "@forgeline/schemas/secrets/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { recordAudit } from "../../operation/domain.ts";
import { environmentOf, pathsOf, placeOf, targetOf, type SecretOwner } from "./place.ts";
import { presentSecret, presentSecretUse } from "./present.ts";
import * as store from "./secrets.store.ts";

export interface StoredSecret {
  secret: Secret;
  /** It replaced one of that name. */
  existed: boolean;
}

export interface SecretService {
  list(owner: SecretOwner, page: PageQuery): Promise<{ items: Secret[]; total: number }>;
  /** Throws `not_found` where the owner is gone, `conflict` past the most. */
  put(actor: Actor, owner: SecretOwner, wanted: SecretPut & { name: string }): Promise<StoredSecret>;
  /** Throws `not_found`. */
  remove(actor: Actor, owner: SecretOwner, name: string): Promise<void>;
  /** Throws `not_found`. */
  uses(owner: SecretOwner, name: string, page: PageQuery): Promise<{ items: SecretUse[]; total: number }>;
}

export function createSecretService(deps: {
  db: Database;
  encryption: Encryption;
  addresses: Addresses;
}): SecretService {
  const { db, encryption, addresses } = deps;
  return {
    async list(owner, page) {
      const { rows, total } = await store.listSecrets(db, await placeOf(db, owner), page);
      return { items: rows.map((row) => presentSecret(row, pathsOf(owner), addresses)), total };
    },
    async put(actor, owner, { value, ...wanted }) {
      const valueId = newId("sval");
      const sealed = encryption.encrypt(valueId, value);
      return db.transaction(async (tx) => {
        const place = await placeOf(tx, owner);
        if (!(await store.holdPlace(tx, place))) throw new AppError("not_found");
        const isNew = !(await store.hasSecret(tx, place, wanted.name));
        if (isNew && (await store.countSecrets(tx, place)) >= maxSecrets)
          throw new AppError("conflict", { message: `There can be at most ${maxSecrets} secrets here.` });
        const row = await store.storeSecret(tx, place, {
          ...wanted,
          id: newId("sec"),
          updatedBy: actor.userId,
        });
        await store.storeValue(tx, row.id, { id: valueId, sealed, bytes: Buffer.byteLength(value) });
        await store.dropOldValues(tx);
        const { name: secret, ...limits } = wanted;
        await recordAudit(tx, actor, {
          action: row.existed ? "security.secret_update" : "security.secret_create",
          target: targetOf(owner),
          details: { secret_id: row.id, secret, ...environmentOf(owner), ...limits },
        });
        return { secret: presentSecret(row, pathsOf(owner), addresses), existed: row.existed };
      });
    },
    async remove(actor, owner, name) {
      await db.transaction(async (tx) => {
        const id = await store.deleteSecret(tx, await placeOf(tx, owner), name);
        if (id === undefined) throw new AppError("not_found");
        await store.dropOldValues(tx);
        await recordAudit(tx, actor, {
          action: "security.secret_delete",
          target: targetOf(owner),
          details: { secret_id: id, secret: name, ...environmentOf(owner) },
        });
      });
    },
    async uses(owner, name, page) {
      const place = await placeOf(db, owner);
      if (!(await store.hasSecret(db, place, name))) throw new AppError("not_found");
      const { rows, total } = await store.listUses(db, place, { name, page });
      return { items: rows.map((row) => presentSecretUse(row, addresses)), total };
    },
  };
}
