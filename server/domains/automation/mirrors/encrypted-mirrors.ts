/** Passwords and SSH keys of mirrors of either direction, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./encrypted-mirrors.store.ts";

export function encryptedMirrors(encryption: Encryption): EncryptedValues {
  return encryptedLogins(encryption, store);
}

/** `rows` are those of the table of one direction. */
export function encryptedLogins(encryption: Encryption, rows: typeof store): EncryptedValues {
  return encryptedValues({
    count: rows.countByKey,
    lock: rows.lockOfOtherKeys,
    replace: rows.replaceSealed,
    again(row) {
      const again = (sealed: Buffer | null) => sealed && encryption.again(row.id, sealed);
      return { id: row.id, password: again(row.sealed_password), sshKey: again(row.sealed_ssh_key) };
    },
  });
}
