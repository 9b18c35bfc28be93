/** Signatures by which the instance knows again what it gave out (HMAC-SHA-256), also after its key was replaced. */
import { createHmac, timingSafeEqual } from "node:crypto";

type Signed = string | Uint8Array;

export interface Signer {
  /** 32 bytes under the current key. The parts are signed as one text: separate what must not run together. */
  sign(...parts: Signed[]): Buffer;
  /** Whether any key signed this. `signature` may be the first `bytes` of one only. */
  proves(signature: Uint8Array, bytes: number, ...parts: Signed[]): boolean;
}

export const signatureBytes = 32;

export function createSigner(keys: () => readonly [Buffer, ...Buffer[]]): Signer {
  const signWith = (key: Buffer, parts: readonly Signed[]) => {
    const hmac = createHmac("sha256", key);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  };
  return {
    sign: (...parts) => signWith(keys()[0], parts),
    proves: (signature, bytes, ...parts) =>
      signature.length === bytes &&
      keys().some((key) => timingSafeEqual(signature, signWith(key, parts).subarray(0, bytes))),
  };
}
