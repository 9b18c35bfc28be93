/** The steps of a rotation, for its workflow. Each may run twice, also at the same time on two workers. */
import type { AddedKey } from "@forgeline/schemas/keys/workflow.ts";
import { newDataKey } from "@forgeline/keyring/open-keyring.ts";
import { AppError } from "../../../platform/app-error.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import type { EncryptedRecords } from "./encrypted-records.ts";
import * as store from "./key-rotations.store.ts";
import { startRotation } from "./rotation-intents.ts";

export interface KeyRotation {
  /** Adds the rotation's key to the keyring, once. */
  addKey(rotationId: string): Promise<AddedKey>;
  /** Encrypts all that other keys encrypted again. Throws the signal's reason. */
  encryptAgain(rotationId: string, signal: AbortSignal): Promise<void>;
  /** Signs what stands for the audit log again, and closes the rotation. */
  finish(rotationId: string): Promise<void>;
  /** Cancelled: what was encrypted again stays so. */
  giveUp(rotationId: string): Promise<void>;
  /** Starts its workflow if it does not run. Throws `conflict` for one that has ended. */
  resume(rotationId: string): Promise<void>;
}

export interface KeyRotationDeps {
  db: Database;
  logger: Logger;
  temporal: Temporal;
  taskQueue: string;
  instanceKeys: InstanceKeys;
  records: EncryptedRecords;
  /** Checkpoints of the audit log, and the anchors in it. */
  signAuditLogAgain(): Promise<void>;
  /** Until a new key becomes current: longer than other processes need to see it. */
  keyLeadMs: number;
}

const batch = 200;

export function createKeyRotation(deps: KeyRotationDeps): KeyRotation {
  const { db, instanceKeys } = deps;
  const keyOf = (rotationId: string) => instanceKeys.all().find(({ rotation }) => rotation === rotationId);

  async function isOpen(rotationId: string): Promise<boolean> {
    const row = await store.findRotation(db, rotationId);
    return row !== undefined && row.finished_at === null;
  }

  /** One kind from its beginning: what was done already is not found any more. */
  async function encryptKind(
    rotationId: string,
    [kind, values]: ReturnType<EncryptedRecords["kinds"]>[number],
    signal: AbortSignal,
  ): Promise<void> {
    let after: string | null = "";
    while (after !== null) {
      signal.throwIfAborted();
      const page = { after, mark: Buffer.from(instanceKeys.current().id, "hex"), limit: batch };
      after = await db.transaction(async (tx) => {
        const { last, done, unreadable } = await values.next(tx, page);
        const noted = await store.noteEncrypted(tx, rotationId, {
          kind,
          done,
          unreadable: unreadable.length,
        });
        if (unreadable.length > 0)
          deps.logger.error({ kind, record_ids: unreadable }, "records that no key decrypts");
        return noted ? last : null;
      });
      crashPoint("key.batch-encrypted-before-next");
    }
  }

  return {
    async addKey(rotationId) {
      if (!(await isOpen(rotationId))) return { waitMs: 0 };
      await instanceKeys.change((keys) => {
        if (keys.some(({ rotation }) => rotation === rotationId)) return keys;
        const currentFrom = new Date(Date.now() + deps.keyLeadMs);
        return [newDataKey({ currentFrom, rotation: rotationId }), ...keys];
      });
      crashPoint("key.added-before-noted");
      const key = keyOf(rotationId);
      if (!key) throw new Error("the new key is not in the keyring");
      await store.noteKey(db, rotationId, key.id);
      return { waitMs: Math.max(0, key.currentFrom.getTime() - Date.now()) };
    },
    async encryptAgain(rotationId, signal) {
      if (!(await isOpen(rotationId))) return;
      const key = keyOf(rotationId);
      // A newer one may have become current meanwhile, which is as good.
      if (!key || instanceKeys.current().currentFrom < key.currentFrom)
        throw new Error("the new key is not current yet");
      for (const kind of deps.records.kinds()) await encryptKind(rotationId, kind, signal);
    },
    async finish(rotationId) {
      await deps.signAuditLogAgain();
      await store.finishRotation(db, rotationId, false);
    },
    giveUp: async (rotationId) => void (await store.finishRotation(db, rotationId, true)),
    async resume(rotationId) {
      if (!(await isOpen(rotationId)))
        throw new AppError("conflict", { message: "This rotation has ended. Begin another one." });
      await startRotation(deps, rotationId);
    },
  };
}
