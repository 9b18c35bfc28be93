/** Addresses and secrets of webhooks, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./encrypted-webhooks.store.ts";

export function encryptedWebhooks(encryption: Encryption): EncryptedValues {
  return encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceSealed,
    again: (row) => {
      const again = (sealed: Buffer) => encryption.again(row.id, sealed);
      return {
        id: row.id,
        url: again(row.sealed_url),
        secret: again(row.sealed_secret),
        previousSecret: row.sealed_previous_secret && again(row.sealed_previous_secret),
      };
    },
  });
}
