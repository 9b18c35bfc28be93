/** Passwords and SSH keys of push mirrors, for rotations of the key. */
import type { EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { encryptedLogins } from "../mirrors/encrypted-mirrors.ts";
import * as store from "./encrypted-push-mirrors.store.ts";

export function encryptedPushMirrors(encryption: Encryption): EncryptedValues {
  return encryptedLogins(encryption, store);
}
