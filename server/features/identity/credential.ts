/**
 * The one parser of credentials: `Authorization: Bearer TOKEN`, or Basic with the token as password (Git), whose user
 * name is ignored. Also makes personal tokens: prefix, 256 random bits, and a checksum that lets scanners and this
 * parser tell a mistyped token from a real one without asking the database.
 */
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

export type Credential = { kind: "none" } | { kind: "invalid" } | { kind: "token"; token: string };

const tokenPattern = /^svc_[a-z]+_[A-Za-z0-9_-]{20,200}$/;
const personalPattern = /^svc_pat_([A-Za-z0-9_-]{43})([0-9a-f]{8})$/;

export function parseCredential(header: string | undefined): Credential {
  if (header === undefined) return { kind: "none" };
  const [, scheme = "", value = ""] = /^([A-Za-z]+) +([^\s]+)$/.exec(header) ?? [];
  const token =
    scheme.toLowerCase() === "bearer" ? value : scheme.toLowerCase() === "basic" ? basicPassword(value) : "";
  if (!tokenPattern.test(token)) return { kind: "invalid" };
  if (token.startsWith("svc_pat_") && !hasValidChecksum(token)) return { kind: "invalid" };
  return { kind: "token", token };
}

function basicPassword(value: string): string {
  const text = Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? "" : text.slice(colon + 1);
}

export function newPersonalToken(): string {
  const secret = randomBytes(32).toString("base64url");
  return `svc_pat_${secret}${checksum(secret)}`;
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function checksum(secret: string): string {
  return crc32(`svc_pat_${secret}`).toString(16).padStart(8, "0");
}

function hasValidChecksum(token: string): boolean {
  const [, secret = "", sum] = personalPattern.exec(token) ?? [];
  return sum === checksum(secret);
}
