/**
 * Tokens for LFS alone (`svc_lfs_…`), which stand for a credential that cannot be sent over HTTPS, such as an SSH key: for
 * one repository and one direction, 15 minutes long, and worth no more than that credential is when they are used.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { linkSeconds } from "./expiry.ts";

export interface LfsGrant {
  /** As `credentialOf` names it. */
  credential: string;
  repositoryId: string;
  operation: "download" | "upload";
}

export interface LfsTokens {
  issue(grant: LfsGrant): string;
  /** Undefined for anything but a token of ours that has not expired. */
  read(token: string): LfsGrant | undefined;
}

export const lfsTokenPrefix = "svc_lfs_";
const macLength = 43;

export function createLfsTokens(key: Buffer): LfsTokens {
  const macOf = (payload: string) => createHmac("sha256", key).update(`token ${payload}`).digest();
  return {
    issue({ credential, repositoryId, operation }) {
      const expires = Math.floor(Date.now() / 1000) + linkSeconds;
      const text = [credential, repositoryId, operation, expires].join(" ");
      const payload = Buffer.from(text).toString("base64url");
      return `${lfsTokenPrefix}${payload}${macOf(payload).toString("base64url")}`;
    },
    read(token) {
      const body = token.slice(lfsTokenPrefix.length);
      const payload = body.slice(0, -macLength);
      const given = Buffer.from(body.slice(-macLength), "base64url");
      const right = macOf(payload);
      if (!token.startsWith(lfsTokenPrefix) || given.length !== right.length) return undefined;
      if (!timingSafeEqual(given, right)) return undefined;
      const [credential = "", repositoryId = "", operation, expires] = Buffer.from(payload, "base64url")
        .toString()
        .split(" ");
      if (Number(expires) * 1000 <= Date.now()) return undefined;
      return { credential, repositoryId, operation: operation === "upload" ? "upload" : "download" };
    },
  };
}
