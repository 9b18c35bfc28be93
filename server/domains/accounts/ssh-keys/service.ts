/** SSH keys of people. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { SshKeyCreate } from "@forgeline/schemas/ssh-keys/resource.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { UserService } from "../users/service.ts";
import { keyInUse, readKey } from "./read-key.ts";
import * as store from "./ssh-keys.store.ts";
import type { SshKeyRow } from "./ssh-keys.store.ts";

export interface SshKeyService {
  list(actor: Actor, page: PageQuery): Promise<{ rows: SshKeyRow[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, id: string): Promise<SshKeyRow>;
  /** Throws `validation_failed` for a key that is not accepted, `conflict` for one that is in use. */
  add(actor: Actor, given: SshKeyCreate): Promise<SshKeyRow>;
  /** Throws `not_found`. */
  remove(actor: Actor, id: string): Promise<void>;
}

export function createSshKeyService(deps: {
  db: Database;
  users: Pick<UserService, "notify">;
}): SshKeyService {
  const { db } = deps;
  return {
    list: (actor, page) => store.listSshKeys(db, userIdOf(actor), page),
    async get(actor, id) {
      const row = await store.findSshKey(db, userIdOf(actor), id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    async add(actor, given) {
      const key = readKey(given);
      const { title } = key;
      const userId = userIdOf(actor);
      return db.transaction(async (tx) => {
        const row = await store.insertSshKey(tx, { ...key, id: newId("key"), userId });
        if (!row) throw keyInUse();
        await recordAudit(tx, actor, {
          action: "auth.ssh_key_add",
          target: { type: "ssh_key", id: row.id, name: title },
          details: { fingerprint: key.fingerprint },
        });
        await deps.users.notify(tx, userId, {
          kind: "ssh_key_added",
          subject: "An SSH key was added to your account",
          paragraphs: [
            `the key "${title}" (${key.fingerprint}) can now act for you over SSH.`,
            "If you did not add it, remove it, end your sessions and revoke your tokens.",
          ],
        });
        return row;
      });
    },
    async remove(actor, id) {
      await db.transaction(async (tx) => {
        const row = await store.deleteSshKey(tx, userIdOf(actor), id);
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "auth.ssh_key_remove",
          target: { type: "ssh_key", id, name: row.title },
          details: { fingerprint: row.fingerprint },
        });
      });
    },
  };
}
