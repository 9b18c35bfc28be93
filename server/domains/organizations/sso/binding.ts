/**
 * Ties a sign-in to the browser that began it: a random value in a cookie, whose hash is in the database. State, nonce and PKCE
 * verifier are derived from it, so none of them is stored anywhere, and none works in another browser.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

const cookieName = "__Host-forgeline_sso";
const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";
const maxAgeSeconds = 600;

export function newBinding(): string {
  return randomBytes(32).toString("base64url");
}

export function hashBinding(binding: string): Buffer {
  return hash("sha256", binding, "buffer");
}

/** 43 characters of base64url, which is as PKCE requires. */
export function derive(binding: string, purpose: "state" | "nonce" | "verifier"): string {
  return createHmac("sha256", binding).update(`forgeline sso ${purpose}`).digest("base64url");
}

export function stateMatches(binding: string, state: string): boolean {
  const given = Buffer.from(state);
  const wanted = Buffer.from(derive(binding, "state"));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Undefined also if several are sent, because one of them is then not ours. */
export function readBindingCookie(header: string | undefined): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  const [value = ""] = values;
  return values.length === 1 && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

export function bindingCookie(binding: string): string {
  return `${cookieName}=${binding}; Max-Age=${maxAgeSeconds}; ${attributes}`;
}

export const endedBindingCookie = `${cookieName}=; Max-Age=0; ${attributes}`;
