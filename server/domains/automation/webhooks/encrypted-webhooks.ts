/** Addresses and secrets of webhooks, for rotations of the key. */
import { encryptRows, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./encrypted-webhooks.store.ts";

export function encryptedWebhooks(encryption: Encryption): EncryptedValues {
  return {
    count: store.countByKey,
    async next(tx, page) {
      const { done, result } = encryptRows(await store.lockOfOtherKeys(tx, page), (row) => {
        const again = (sealed: Buffer) => encryption.again(row.id, sealed);
        return {
          id: row.id,
          url: again(row.sealed_url),
          secret: again(row.sealed_secret),
          previousSecret: row.sealed_previous_secret && again(row.sealed_previous_secret),
        };
      });
      await store.replaceSealed(tx, done);
      return result;
    },
  };
}
