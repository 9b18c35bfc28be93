/**
 * Signatures of deliveries: ours over the body alone, and those of the Standard Webhooks specification
 * (https://github.com/standard-webhooks/standard-webhooks, version 1) over id, time and body.
 */
import { createHmac, randomBytes } from "node:crypto";

/** What the specification writes before the base64 of a secret. */
const standardPrefix = "whsec_";

/** A secret that is as good as a key, in the specification's form. */
export function makeSecret(): string {
  return `${standardPrefix}${randomBytes(32).toString("base64")}`;
}

export interface SignedContent {
  deliveryId: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/** `secrets`: the current one first. */
export function signatureHeaders(secrets: readonly string[], content: SignedContent): Record<string, string> {
  const { deliveryId, timestamp, body } = content;
  const ours = secrets.map((secret) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const signed = `${deliveryId}.${timestamp}.${body}`;
  const standard = secrets.map(
    (secret) => `v1,${createHmac("sha256", standardKey(secret)).update(signed).digest("base64")}`,
  );
  return {
    "x-svc-signature-256": ours.join(","),
    "webhook-id": deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": standard.join(" "),
  };
}

/** The specification's secrets are the base64 of their key; any other secret is its own key. */
function standardKey(secret: string): Buffer {
  return secret.startsWith(standardPrefix)
    ? Buffer.from(secret.slice(standardPrefix.length), "base64")
    : Buffer.from(secret, "utf8");
}
