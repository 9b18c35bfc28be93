/** The hash by which parts are named, computed beside the event loop: several parts at the same time, while others are packed. */
import { webcrypto } from "node:crypto";

/** `bytes` may change as soon as this was called: they are copied. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  // Nothing here shares its memory with another thread.
  const digest = await webcrypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Buffer.from(digest).toString("hex");
}
