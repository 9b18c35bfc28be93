/**
 * Secrets at rest that must be readable again: AES-256-GCM under a key of the instance, bound to the record they belong
 * to, so that one cannot be moved to another record.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

export function encrypt(key: Buffer, recordId: string, text: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(recordId));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Throws when it was sealed with another key, for another record, or changed. */
export function decrypt(key: Buffer, recordId: string, bytes: Buffer): string {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(recordId))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    "utf8",
  );
}
