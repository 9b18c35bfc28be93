/** Tokens of imports that are under way, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./encrypted-imports.store.ts";

export function encryptedImports(encryption: Encryption): EncryptedValues {
  return encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceSealed,
    again: (row) => ({ id: row.id, sealed: row.sealed_token && encryption.again(row.id, row.sealed_token) }),
  });
}
