/**
 * Tokens for LFS alone (`svc_lfs_…`), which stand for a credential that cannot be sent over HTTPS, such as an SSH key: for
 * one repository and one direction, 15 minutes long, and worth no more than that credential is when they are used.
 */
import { signatureBytes, type Signer } from "../../../platform/keys/signer.ts";
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

export function createLfsTokens(signer: Signer): LfsTokens {
  const signed = (payload: string) => `token ${payload}`;
  return {
    issue({ credential, repositoryId, operation }) {
      const expires = Math.floor(Date.now() / 1000) + linkSeconds;
      const text = [credential, repositoryId, operation, expires].join(" ");
      const payload = Buffer.from(text).toString("base64url");
      return `${lfsTokenPrefix}${payload}${signer.sign(signed(payload)).toString("base64url")}`;
    },
    read(token) {
      const body = token.slice(lfsTokenPrefix.length);
      const payload = body.slice(0, -macLength);
      const given = Buffer.from(body.slice(-macLength), "base64url");
      if (!token.startsWith(lfsTokenPrefix)) return undefined;
      if (!signer.proves(given, signatureBytes, signed(payload))) return undefined;
      const [credential = "", repositoryId = "", operation, expires] = Buffer.from(payload, "base64url")
        .toString()
        .split(" ");
      if (Number(expires) * 1000 <= Date.now()) return undefined;
      return { credential, repositoryId, operation: operation === "upload" ? "upload" : "download" };
    },
  };
}
