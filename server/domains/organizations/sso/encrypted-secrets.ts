/** Client secrets of providers, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./configuration.store.ts";

export function encryptedSsoSecrets(encryption: Encryption): EncryptedValues {
  return encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceSecrets,
    again: (row) => ({
      id: row.id,
      sealedClientSecret: encryption.again(row.id, row.sealed_client_secret),
    }),
  });
}
