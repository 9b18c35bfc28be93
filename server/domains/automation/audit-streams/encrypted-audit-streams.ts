/** Secrets of streams of audit logs, for rotations of the key. */
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import * as store from "./encrypted-audit-streams.store.ts";

export function encryptedAuditStreams(encryption: Encryption): EncryptedValues {
  return encryptedValues({
    count: store.countByKey,
    lock: store.lockOfOtherKeys,
    replace: store.replaceSealed,
    again: ({ id, sealed_secrets: sealed }) => ({ id, sealed: encryption.again(id, sealed) }),
  });
}
