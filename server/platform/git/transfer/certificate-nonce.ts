/** The nonce that Git announces for signed pushes and accepts again: its time, under a secret seed. */
import { createHmac } from "node:crypto";
import { basename } from "node:path";

/** Between the announcement and the push; people may have to touch a key or type a passphrase meanwhile. */
const nonceSeconds = 600;

/** A seed for each repository: a certificate for one is worth nothing with another. */
export function certificateConfiguration(key: Buffer, directory: string): [string, string][] {
  const seed = createHmac("sha256", key).update(basename(directory)).digest("hex");
  return [
    ["receive.certNonceSeed", seed],
    // Over HTTPS the announcement and the push are two programs, of two servers perhaps.
    ["receive.certNonceSlop", String(nonceSeconds)],
  ];
}
