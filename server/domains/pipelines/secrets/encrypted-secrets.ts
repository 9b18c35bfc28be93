/** Values of secrets, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./encrypted-secrets.store.ts";

export function encryptedSecrets(encryption: Encryption): EncryptedValues {
  return encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceSealed,
    again: ({ id, sealed_value: sealed }) => ({ id, sealed: encryption.again(id, sealed) }),
  });
}
