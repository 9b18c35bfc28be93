/** Removes data keys that nothing needs any more from the keyring. */
import { systemActor } from "../../../platform/access/actor.ts";
import type { DataKey } from "@forgeline/keyring/data-key.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { recordAudit } from "../audit/record.ts";
import type { EncryptedRecords, KeyCounts } from "./encrypted-records.ts";

export interface UnusedKeysDeps {
  db: Database;
  logger: Logger;
  instanceKeys: InstanceKeys;
  records: EncryptedRecords;
  /**
   * For what is short-lived and stored nowhere, and for backups, which copy the database before the keyring: an old key is kept so
   * long in any case.
   */
  keepOldKeysMs: number;
  /** Checkpoints of the audit log, and the anchors in it: a rotation that was cancelled has not. */
  signAuditLogAgain(): Promise<void>;
}

export function createUnusedKeys(deps: UnusedKeysDeps): { upkeepTasks: UpkeepTask[] } {
  const { db, instanceKeys, records } = deps;

  async function isUnused(key: DataKey, replacedAt: Date, counts: KeyCounts): Promise<boolean> {
    const isEmpty = Object.values(counts.of(key)).every((count) => count === 0);
    return isEmpty && !(await records.isUsedSince(replacedAt));
  }

  async function remove(key: DataKey): Promise<void> {
    let removed = false;
    await instanceKeys.change((keys) => {
      const left = keys.filter(({ id }) => id !== key.id);
      removed = left.length < keys.length;
      return left;
    });
    if (!removed) return;
    deps.logger.info({ key_id: key.id }, "removed a data key that nothing refers to");
    const target = { type: "key", id: key.id, name: key.id };
    await db.transaction((tx) => recordAudit(tx, systemActor, { action: "admin.key_remove", target }));
  }

  async function run(): Promise<void> {
    const current = instanceKeys.current();
    const old = instanceKeys.all().filter(({ currentFrom }) => currentFrom < current.currentFrom);
    // Newest first: each was replaced when the one before it became current.
    const replaced = old.map((key, n) => ({ key, at: (old[n - 1] ?? current).currentFrom }));
    const due = replaced.filter(({ at }) => at.getTime() + deps.keepOldKeysMs <= Date.now());
    if (due.length === 0) return;
    await deps.signAuditLogAgain();
    const counts = await records.count();
    for (const { key, at } of due) if (await isUnused(key, at, counts)) await remove(key);
  }

  return {
    upkeepTasks: [{ name: "remove_unused_keys", everyMs: 60 * 60 * 1000, run }],
  };
}
