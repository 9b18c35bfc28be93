/** Client secrets of providers, for rotations of the key. */
import { encryptRows, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./configuration.store.ts";

export function encryptedSsoSecrets(encryption: Encryption): EncryptedValues {
  return {
    count: store.countByKey,
    async next(tx, page) {
      const { done, result } = encryptRows(await store.lockOfOtherKeys(tx, page), (row) => ({
        id: row.id,
        sealedClientSecret: encryption.again(row.id, row.sealed_client_secret),
      }));
      await store.replaceSecrets(tx, done);
      return result;
    },
  };
}
