/** Second factors, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { RecoveryKeys } from "./recovery-keys.ts";
import * as store from "./two-factor.store.ts";

export function encryptedFactors(deps: {
  encryption: Encryption;
  recoveryKeys: RecoveryKeys;
}): EncryptedValues {
  return encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceSealed,
    again: (row) => ({
      id: row.id,
      secret: deps.encryption.again(row.id, row.sealed_secret),
      recoveryKey: deps.recoveryKeys.again(row.id, row.sealed_recovery_key),
    }),
  });
}
