/** Ed25519 as signed jobs use it. Pure. */
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { signedJobPrefix } from "@forgeline/schemas/runner-protocol/signed-job.ts";

/** What DER has before the 32 bytes of a public key. */
const derPrefixBytes = 12;

/** The private half as PEM; the public one as its 32 bytes. */
export function makeKeyPair(): { privateKey: string; publicKey: Buffer } {
  const pair = generateKeyPairSync("ed25519");
  return {
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: pair.publicKey.export({ type: "spki", format: "der" }).subarray(derPrefixBytes),
  };
}

/** Signs the payload of a job; the signature is in base64. */
export function jobSigner(privateKey: string): (payload: string) => string {
  const key = createPrivateKey(privateKey);
  return (payload) => sign(null, Buffer.from(signedJobPrefix + payload), key).toString("base64");
}
