/** One-time codes of an app (RFC 6238), and recovery codes: ten of fifty random bits, each for one use. */
import { createHmac, randomInt } from "node:crypto";
import { verifySync } from "otplib";

const periodSeconds = 30;
const recoveryCodes = 10;
const letters = "abcdefghjkmnpqrstvwxyz0123456789";

/** The period of this code; the previous and the next one are accepted too. Undefined if it is not valid. */
export function periodOf(secret: string, code: string, nowMs = Date.now()): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(nowMs / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: periodSeconds });
  return result.valid ? Math.floor(epoch / periodSeconds) + result.delta : undefined;
}

export function newRecoveryCodes(): string[] {
  const half = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
  return Array.from({ length: recoveryCodes }, () => `${half()}-${half()}`);
}

/** A keyed hash, because fifty bits could be guessed by anybody who has the database. Ignores case and separators. */
export function hashRecoveryCode(key: Buffer, userId: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, "");
  return createHmac("sha256", key).update(`${userId}\0${plain}`).digest();
}
