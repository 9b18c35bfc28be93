/** Everything that the instance keeps encrypted, by kind; each domain adds what it has. */
import type { DataKey } from "@forgeline/keyring/data-key.ts";
import { encryptedKinds, type EncryptedKind } from "@forgeline/schemas/keys/resource.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import type { EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";

/** Whether something that is not encrypted, but was made with a key before this time, is still in use. */
export type KeyUse = (db: Queryable, before: Date) => Promise<boolean>;

export interface EncryptedRecords {
  /** To be called once for each kind, at construction. */
  add(kind: EncryptedKind, values: EncryptedValues): void;
  /** To be called at construction. */
  addUse(use: KeyUse): void;
  /** In the order of `encryptedKinds`. Throws where a kind was not added. */
  kinds(): readonly (readonly [EncryptedKind, EncryptedValues])[];
  count(): Promise<KeyCounts>;
  isUsedSince(before: Date): Promise<boolean>;
}

export interface KeyCounts {
  of(key: DataKey): Record<EncryptedKind, number>;
}

export function createEncryptedRecords(
  db: Database,
  instanceKeys: Pick<InstanceKeys, "all">,
): EncryptedRecords {
  const added = new Map<EncryptedKind, EncryptedValues>();
  const uses: KeyUse[] = [];

  const kinds = () =>
    encryptedKinds.map((kind) => {
      const values = added.get(kind);
      if (!values) throw new Error(`nobody added ${kind}`);
      return [kind, values] as const;
    });

  return {
    add: (kind, values) => void added.set(kind, values),
    addUse: (use) => void uses.push(use),
    kinds,
    async count() {
      const marked = instanceKeys.all().filter(({ marksValues }) => marksValues);
      const marks = marked.map(({ id }) => Buffer.from(id, "hex"));
      const found = new Map<string, number>();
      for (const [kind, values] of kinds())
        for (const { mark, count } of await values.count(db, marks)) found.set(`${kind} ${mark}`, count);
      const countOf = (key: DataKey, kind: EncryptedKind) =>
        found.get(`${kind} ${key.marksValues ? key.id : ""}`) ?? 0;
      return {
        of: (key) =>
          Object.fromEntries(encryptedKinds.map((kind) => [kind, countOf(key, kind)])) as Record<
            EncryptedKind,
            number
          >,
      };
    },
    async isUsedSince(before) {
      for (const use of uses) if (await use(db, before)) return true;
      return false;
    },
  };
}
