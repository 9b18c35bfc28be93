/** Identifies and authenticates the app: HTTP Basic or fields of the form (RFC 6749 section 2.3.1). */
import { timingSafeEqual } from "node:crypto";
import { idOf } from "@forgeline/schemas/core/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { hashToken } from "../../../platform/credentials/credential.ts";
import { findClient, type ClientRow } from "./app.store.ts";
import { OAuthError } from "./oauth-error.ts";

const clientId = idOf("app");

export function looksLikeClientId(text: string | undefined): text is string {
  return clientId.safeParse(text).success;
}

/** A public app has no secret to show; PKCE protects its codes. Throws `invalid_client`, `invalid_request`. */
export async function authenticateClient(
  db: Queryable,
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
): Promise<ClientRow> {
  const { id, secret } = authorization === undefined ? ofForm(form) : ofBasic(authorization, form);
  const client = looksLikeClientId(id) ? await findClient(db, id) : undefined;
  if (!client || !proves(client, secret))
    throw new OAuthError("invalid_client", "The app does not exist, or its secret is wrong.");
  return client;
}

function proves({ secret_hash: hash }: ClientRow, secret: string | undefined): boolean {
  if (hash === null) return secret === undefined;
  return secret !== undefined && timingSafeEqual(hash, hashToken(secret));
}

interface Claimed {
  id: string | undefined;
  secret: string | undefined;
}

function ofForm(form: ReadonlyMap<string, string>): Claimed {
  return { id: form.get("client_id"), secret: form.get("client_secret") };
}

function ofBasic(authorization: string, form: ReadonlyMap<string, string>): Claimed {
  const [, value] = /^basic +([A-Za-z0-9+/_=-]+)$/i.exec(authorization) ?? [];
  const text = value === undefined ? "" : Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0)
    throw new OAuthError("invalid_client", "The Authorization header must use the Basic scheme.");
  const id = formDecoded(text.slice(0, colon));
  if (form.has("client_secret") || (form.get("client_id") ?? id) !== id)
    throw new OAuthError("invalid_request", "The app is named in both the header and the form.");
  return { id, secret: formDecoded(text.slice(colon + 1)) || undefined };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return "";
  }
}
