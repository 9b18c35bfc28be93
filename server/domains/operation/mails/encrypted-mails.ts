/** Texts of mails, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./mails.store.ts";

export function encryptedMails(encryption: Encryption): EncryptedValues {
  return encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceTexts,
    again: (row) => ({
      id: row.id,
      sealedText: encryption.again(row.id, row.sealed_text),
    }),
  });
}
