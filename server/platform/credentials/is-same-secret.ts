/** Whether two secrets are alike, in a time that tells nothing of either. */
import { createHash, timingSafeEqual } from "node:crypto";

export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

/** Of one length, as the comparison requires. */
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
