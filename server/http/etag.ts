/**
 * Strong entity tags, keyed: an HMAC over the viewer and what is shown. One that was made for somebody else's view
 * never matches, and contents cannot be guessed by trying tags.
 */
import { createHmac } from "node:crypto";
import type { Actor } from "../features/identity/actor.ts";

export interface EtagMaker {
  /** `content` is the body, or a version of it together with the address it was asked under. */
  make(actor: Actor, content: string): string;
}

export function createEtagMaker(key: Buffer): EtagMaker {
  return {
    make(actor, content) {
      const viewer = JSON.stringify([
        actor.kind,
        actor.userId,
        actor.job?.attemptId ?? null,
        [...actor.scopes].sort(),
      ]);
      const mac = createHmac("sha256", key).update(viewer).update("\0").update(content).digest("base64url");
      return `"${mac.slice(0, 32)}"`;
    },
  };
}

/** `If-None-Match` compares weakly (RFC 9110 13.1.2); `*` matches whatever exists. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((entry) => {
    const tag = entry.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}
