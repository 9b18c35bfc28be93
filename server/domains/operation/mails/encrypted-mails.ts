/** Texts of mails, for rotations of the key. */
import type { EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import { encryptRows } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./mails.store.ts";

export function encryptedMails(encryption: Encryption): EncryptedValues {
  return {
    count: store.countByKey,
    async next(tx, page) {
      const { done, result } = encryptRows(await store.lockOfOtherKeys(tx, page), (row) => ({
        id: row.id,
        sealedText: encryption.again(row.id, row.sealed_text),
      }));
      await store.replaceTexts(tx, done);
      return result;
    },
  };
}
