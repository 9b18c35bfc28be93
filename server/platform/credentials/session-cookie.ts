/**
 * The session cookie and what makes it safe to accept one: `__Host-` binds it to this host over TLS, and a request that
 * changes something also proves that a page of ours sent it, by its origin and a value that only such a page can read.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../app-error.ts";

const cookieName = "__Host-forgeline_session";
const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** The cookie's value; undefined also when several are sent, since then one of them is not ours. */
export function readSessionCookie(header: string | undefined): string | undefined {
  if (header === undefined || !header.includes(cookieName)) return undefined;
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  return values.length === 1 && values[0] !== "" ? values[0] : undefined;
}

export function sessionCookie(token: string, maxAgeSeconds: number): string {
  return `${cookieName}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`;
}

export const endedSessionCookie = `${cookieName}=; Max-Age=0; ${attributes}`;

/** Made from the session's own token, so there is nothing to store and nothing to rotate. */
export function csrfTokenOf(token: string): string {
  return createHmac("sha256", token).update("forgeline csrf").digest("base64url");
}

export interface CookieSender {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** Throws `forbidden` for a request with a cookie that changes something and does not come from a page of ours. */
export function requireOwnPage(sender: CookieSender, token: string, webUrl: string): void {
  if (["GET", "HEAD", "OPTIONS"].includes(sender.method ?? "")) return;
  const given = Buffer.from(String(sender.headers["x-csrf-token"] ?? ""));
  const wanted = Buffer.from(csrfTokenOf(token));
  const proved = given.length === wanted.length && timingSafeEqual(given, wanted);
  if (!proved || sender.headers.origin !== webUrl)
    throw new AppError("forbidden", {
      message:
        "A request with a session cookie must send the session's X-CSRF-Token and this instance's Origin.",
    });
}

/** For public operations, which look at no cookie: a page of somebody else may not call them in a visitor's browser. */
export function refuseForeignPage(headers: IncomingHttpHeaders, webUrl: string): void {
  if (headers.origin !== undefined && headers.origin !== webUrl)
    throw new AppError("forbidden", { message: "This origin is not allowed to do this." });
}
