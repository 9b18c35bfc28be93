/** Passwords and SSH keys of mirrors, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./encrypted-mirrors.store.ts";

export function encryptedMirrors(encryption: Encryption): EncryptedValues {
  return encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceSealed,
    again(row) {
      const again = (sealed: Buffer | null) => sealed && encryption.again(row.id, sealed);
      return { id: row.id, password: again(row.sealed_password), sshKey: again(row.sealed_ssh_key) };
    },
  });
}
