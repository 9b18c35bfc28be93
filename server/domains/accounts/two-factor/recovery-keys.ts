/**
 * The key under which an account's recovery codes are hashed. It is random and stored encrypted, so that codes stay valid when
 * the instance's keys are replaced. For accounts that have none, it is derived from the key before the keyring: previous
 * releases, which may still be running beside this one until the first rotation, know no other.
 */
import { randomBytes } from "node:crypto";
import type { InstanceKeys } from "../../../platform/keys/instance-keys.ts";

export interface RecoveryKeys {
  /** For new codes; `sealed` is null where it is derived. */
  make(userId: string): { bytes: Buffer; sealed: Buffer | null };
  /** Throws if it was encrypted with a key that is not left. */
  open(userId: string, sealed: Buffer | null): Buffer;
  /** Encrypted with the current key, also where it was derived before. */
  again(userId: string, sealed: Buffer | null): Buffer;
}

const purpose = "recovery_code";
/** Apart from the secret of the app, which is encrypted for the same account. */
const recordOf = (userId: string) => `${userId} recovery`;

export function createRecoveryKeys(
  keys: Pick<InstanceKeys, "encryption" | "current" | "beforeKeyring">,
): RecoveryKeys {
  const encryption = keys.encryption("two_factor");
  const seal = (userId: string, bytes: Buffer) =>
    encryption.encrypt(recordOf(userId), bytes.toString("base64"));

  function open(userId: string, sealed: Buffer | null): Buffer {
    if (sealed) return Buffer.from(encryption.decrypt(recordOf(userId), sealed), "base64");
    // Without both, no code was ever made.
    return keys.beforeKeyring(purpose) ?? randomBytes(32);
  }

  return {
    make(userId) {
      const derived = keys.current().marksValues ? undefined : keys.beforeKeyring(purpose);
      if (derived) return { bytes: derived, sealed: null };
      const bytes = randomBytes(32);
      return { bytes, sealed: seal(userId, bytes) };
    },
    open,
    again: (userId, sealed) => seal(userId, open(userId, sealed)),
  };
}
