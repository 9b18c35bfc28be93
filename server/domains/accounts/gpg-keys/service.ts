/** OpenPGP keys with which people sign commits. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { GpgKeyCreate } from "@forgeline/schemas/gpg-keys/resource.ts";
import { maxGpgKeys } from "@forgeline/schemas/gpg-keys/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import {
  OpenPgpKeyProblem,
  readOpenPgpKey,
  type OpenPgpKey,
} from "../../../platform/git/signatures/openpgp.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { UserService } from "../users/service.ts";
import * as store from "./gpg-keys.store.ts";
import type { GpgKeyRow } from "./gpg-keys.store.ts";

export interface GpgKeyService {
  list(actor: Actor, page: PageQuery): Promise<{ rows: GpgKeyRow[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<GpgKeyRow>;
  /** Throws `validation_failed` for a key that is not accepted, `conflict` for one that they have, and where they have too many. */
  add(actor: Actor, given: GpgKeyCreate): Promise<GpgKeyRow>;
  /** Throws `not_found`. */
  remove(actor: Actor, id: string): Promise<void>;
}

export function createGpgKeyService(deps: {
  db: Database;
  users: Pick<UserService, "notify">;
}): GpgKeyService {
  const { db } = deps;
  return {
    list: (actor, page) => store.listGpgKeys(db, userIdOf(actor), page),
    async get(actor, id) {
      const row = await store.findGpgKey(db, userIdOf(actor), id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async add(actor, given) {
      const key = await readOpenPgpKey(given.key).catch(refuseKey);
      const userId = userIdOf(actor);
      return db.transaction(async (tx) => {
        if ((await store.countGpgKeys(tx, userId)) >= maxGpgKeys)
          throw new AppError("conflict", { message: `You can have at most ${maxGpgKeys} OpenPGP keys.` });
        const row = await store.insertGpgKey(tx, { ...key, id: newId("gpg"), userId });
        if (!row) throw new AppError("conflict", { message: "You have added this key already." });
        await recordAudit(tx, actor, {
          action: "auth.gpg_key_add",
          target: { type: "gpg_key", id: row.id, name: key.fingerprint },
          details: { fingerprint: key.fingerprint },
        });
        await deps.users.notify(tx, userId, {
          kind: "gpg_key_added",
          subject: "An OpenPGP key was added to your account",
          paragraphs: [
            `commits that are signed with the key ${key.fingerprint} now count as yours.`,
            "If you did not add it, remove it, end your sessions and revoke your tokens.",
          ],
        });
        return row;
      });
    },
    async remove(actor, id) {
      await db.transaction(async (tx) => {
        const row = await store.deleteGpgKey(tx, userIdOf(actor), id);
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "auth.gpg_key_remove",
          target: { type: "gpg_key", id, name: row.fingerprint },
          details: { fingerprint: row.fingerprint },
        });
      });
    },
  };
}

function refuseKey(error: unknown): OpenPgpKey {
  if (!(error instanceof OpenPgpKeyProblem)) throw error;
  throw invalidField("key", "invalid", error.message);
}
