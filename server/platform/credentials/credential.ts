/**
 * The one parser of credentials: `Authorization: Bearer TOKEN`, or Basic with the token as password (Git), whose user
 * name is ignored; without that header, the session cookie. Also makes tokens: prefix, 256 random bits, and a checksum
 * that lets scanners and this parser tell a mistyped token from a real one without asking the database.
 */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { readSessionCookie } from "./session-cookie.ts";

export type Credential =
  | { kind: "none" }
  | { kind: "invalid" }
  | { kind: "token"; token: string; from: "header" | "cookie" };

export interface CredentialHeaders {
  authorization?: string | undefined;
  cookie?: string | undefined;
}

const tokenPattern = /^svc_[a-z]+_[A-Za-z0-9_-]{20,200}$/;
const checkedPattern = /^svc_(?:pat|bot|oauth|session)_[A-Za-z0-9_-]{43}[0-9a-f]{8}$/;

/** A header wins: the cookie is then not looked at. A cookie that is no token of ours counts as none. */
export function parseCredential(headers: CredentialHeaders): Credential {
  if (headers.authorization === undefined) {
    const judged = judge(readSessionCookie(headers.cookie) ?? "", "cookie");
    return judged.kind === "token" ? judged : { kind: "none" };
  }
  const [, scheme = "", value = ""] = /^([A-Za-z]+) +([^\s]+)$/.exec(headers.authorization) ?? [];
  const token =
    scheme.toLowerCase() === "bearer" ? value : scheme.toLowerCase() === "basic" ? basicPassword(value) : "";
  return judge(token, "header");
}

function judge(token: string, from: "header" | "cookie"): Credential {
  if (!tokenPattern.test(token)) return { kind: "invalid" };
  if (/^svc_(pat|bot|oauth|session)_/.test(token) && !hasValidChecksum(token)) return { kind: "invalid" };
  return { kind: "token", token, from };
}

function basicPassword(value: string): string {
  const text = Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? "" : text.slice(colon + 1);
}

/** Of a person (`svc_pat_`), a bot (`svc_bot_`), or an app that acts for a person (`svc_oauth_`). */
export function newAccessToken(kind: "pat" | "bot" | "oauth"): string {
  return newToken(`svc_${kind}_`);
}

export function newSessionToken(): string {
  return newToken("svc_session_");
}

/** For mails: proves that somebody can read them; not a credential anywhere. */
export function newOneUseToken(): string {
  return newToken("svc_once_");
}

/** Secrets that an OAuth app sends to `/oauth/token`; they are not credentials anywhere else. */
export function newOAuthSecret(kind: "code" | "refresh" | "client"): string {
  return newToken(`svc_${kind}_`);
}

export function isSessionToken(token: string): boolean {
  return token.startsWith("svc_session_");
}

function newToken(prefix: string): string {
  const start = `${prefix}${randomBytes(32).toString("base64url")}`;
  return `${start}${checksum(start)}`;
}

export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

function checksum(start: string): string {
  return crc32(start).toString(16).padStart(8, "0");
}

function hasValidChecksum(token: string): boolean {
  return checkedPattern.test(token) && checksumFits(token);
}

/** The last eight digits are the checksum of what is before them. */
export function checksumFits(token: string): boolean {
  return token.slice(-8) === checksum(token.slice(0, -8));
}
