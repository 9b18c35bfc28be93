/**
 * Secrets at rest that must be readable again, bound to the record they belong to. Each begins with the eight bytes of its
 * key's id, except those that an instance encrypted before it had a keyring.
 */
import type { DataKey } from "@forgeline/keyring/data-key.ts";
import { decryptBytes, encryptBytes } from "@forgeline/keyring/encrypted-bytes.ts";

export interface Encryption {
  /** Under the current key. */
  encrypt(recordId: string, text: string): Buffer;
  /** Throws when it was encrypted with no key that is left, or for another record, or was changed. */
  decrypt(recordId: string, bytes: Buffer): string;
  /** The same value under the current key. Throws as `decrypt`. */
  again(recordId: string, bytes: Buffer): Buffer;
}

export const keyMarkBytes = 8;

export function createEncryption(keys: {
  current(): DataKey;
  all(): readonly DataKey[];
  bytesOf(key: DataKey): Buffer;
}): Encryption {
  /** The key whose id the value begins with; otherwise the one whose values have none. */
  function keyOf(bytes: Buffer): DataKey {
    const mark = bytes.toString("hex", 0, keyMarkBytes);
    const all = keys.all();
    const key = all.find(({ id, marksValues }) => marksValues && id === mark);
    const found = key ?? all.find(({ marksValues }) => !marksValues);
    if (!found) throw new Error("a value was encrypted with a key that is not in the keyring");
    return found;
  }

  const encryption: Encryption = {
    encrypt(recordId, text) {
      const key = keys.current();
      const encrypted = encryptBytes(keys.bytesOf(key), recordId, Buffer.from(text));
      return key.marksValues ? Buffer.concat([Buffer.from(key.id, "hex"), encrypted]) : encrypted;
    },
    decrypt(recordId, bytes) {
      const key = keyOf(bytes);
      const encrypted = key.marksValues ? bytes.subarray(keyMarkBytes) : bytes;
      return decryptBytes(keys.bytesOf(key), recordId, encrypted).toString("utf8");
    },
    again: (recordId, bytes) => encryption.encrypt(recordId, encryption.decrypt(recordId, bytes)),
  };
  return encryption;
}
