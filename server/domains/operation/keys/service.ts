/** The instance's data keys, and their replacement on request (`docs/architecture/keys.md`). */
import type { DataKey } from "@forgeline/keyring/data-key.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { EncryptedKind } from "@forgeline/schemas/keys/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";
import { recordAudit } from "../audit/record.ts";
import type { EncryptedRecords } from "./encrypted-records.ts";
import * as store from "./key-rotations.store.ts";
import type { RotationRow } from "./key-rotations.store.ts";
import { addRotationIntent } from "./rotation-intents.ts";

export interface KeyRow {
  key: DataKey;
  isCurrent: boolean;
  isPending: boolean;
  place: ReturnType<InstanceKeys["placeOf"]>;
  encrypted: Record<EncryptedKind, number>;
}

export interface KeyService {
  /** Newest first, with the number of records that each encrypts. */
  list(): Promise<KeyRow[]>;
  listRotations(page: PageQuery): Promise<{ rows: RotationRow[]; total: number }>;
  /** Throws `not_found`. */
  getRotation(id: string): Promise<RotationRow>;
  /** Throws `conflict` while another one is running. */
  rotate(actor: Actor): Promise<RotationRow>;
}

export interface KeyServiceDeps {
  db: Database;
  instanceKeys: InstanceKeys;
  records: EncryptedRecords;
}

export function createKeyService({ db, instanceKeys, records }: KeyServiceDeps): KeyService {
  async function getRotation(id: string): Promise<RotationRow> {
    const row = await store.findRotation(db, id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  return {
    async list() {
      const counts = await records.count();
      const [current, now] = [instanceKeys.current(), new Date()];
      return instanceKeys.all().map((key) => ({
        key,
        isCurrent: key === current,
        isPending: key.currentFrom > now,
        place: instanceKeys.placeOf(key),
        encrypted: counts.of(key),
      }));
    },
    listRotations: (page) => store.listRotations(db, page),
    getRotation,
    async rotate(actor) {
      const id = newId("rot");
      await db.transaction(async (tx) => {
        if (!(await store.insertRotation(tx, id, actor.userId)))
          throw new AppError("conflict", {
            message: "The key is being replaced already; wait until it is done.",
          });
        await addRotationIntent(tx, id);
        await recordAudit(tx, actor, {
          action: "admin.key_rotate",
          target: { type: "key_rotation", id, name: id },
        });
      });
      return getRotation(id);
    },
  };
}
