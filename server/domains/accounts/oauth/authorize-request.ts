/**
 * Checks the authorization request in an address. What is wrong with the app or the address to go back to is shown to the
 * person, since whoever made the request chose that address; everything else is told to the app there.
 */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { findClient, type ClientRow } from "./app.store.ts";
import { looksLikeClientId } from "./client-auth.ts";
import { parseScopeList } from "./scope-list.ts";

export interface AuthorizeRequest {
  app: ClientRow;
  redirectUri: string;
  scopes: readonly Scope[];
  state: string | undefined;
  challenge: string | null;
}

export type Judgement =
  | { kind: "ask"; request: AuthorizeRequest }
  | { kind: "redirect"; location: string }
  | { kind: "show"; message: string };

export interface Redirected {
  redirectUri: string;
  state: string | undefined;
}

/** With `state` as it came, and `iss` (RFC 9207), so that an app with several servers knows which one answered. */
export function redirectBack(
  issuer: string,
  { redirectUri, state }: Redirected,
  answer: Record<string, string>,
): string {
  const query = new URLSearchParams(answer);
  if (state !== undefined) query.set("state", state);
  query.set("iss", issuer);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query.toString()}`;
}

/** Names where the user is sent back to: the host, or for an app on the user's machine its scheme, as such an address has no telling host. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" || protocol === "http:" ? host : `the app ${protocol.slice(0, -1)}`;
}

export async function judgeRequest(
  db: Queryable,
  issuer: string,
  search: URLSearchParams,
): Promise<Judgement> {
  const ids = search.getAll("client_id");
  const app = ids.length === 1 && looksLikeClientId(ids[0]) ? await findClient(db, ids[0]) : undefined;
  if (!app) return { kind: "show", message: "The request does not name an app that is registered here." };
  const uris = search.getAll("redirect_uri");
  const redirectUri = uris.length === 1 ? app.redirect_uris.find((uri) => uri === uris[0]) : undefined;
  if (redirectUri === undefined)
    return {
      kind: "show",
      message: `The request wants to send you to an address that is not registered for ${app.name}.`,
    };
  const state = search.getAll("state").length === 1 ? (search.get("state") ?? undefined) : undefined;
  const scopes = parseScopeList(search.get("scope") ?? "");
  const problem = problemOf(search, app, scopes);
  if (problem || !scopes) {
    const [error = "invalid_scope", description = ""] = problem ?? [];
    const answer = { error, error_description: description };
    return { kind: "redirect", location: redirectBack(issuer, { redirectUri, state }, answer) };
  }
  const asked = scopes.length > 0 ? scopes : app.scopes;
  const challenge = search.get("code_challenge");
  return { kind: "ask", request: { app, redirectUri, scopes: asked, state, challenge } };
}

const onlyOnce = ["state", "scope", "response_type", "code_challenge", "code_challenge_method"];

function problemOf(
  search: URLSearchParams,
  app: ClientRow,
  scopes: readonly Scope[] | undefined,
): [error: string, description: string] | undefined {
  const repeated = onlyOnce.find((name) => search.getAll(name).length > 1);
  if (repeated) return ["invalid_request", `${repeated} is given more than once.`];
  if ((search.get("response_type") || "code") !== "code")
    return ["unsupported_response_type", "Only response_type=code is supported."];
  const challenge = search.get("code_challenge");
  const method = search.get("code_challenge_method");
  if (challenge === null && (method !== null || !app.confidential))
    return ["invalid_request", "code_challenge is missing; apps without a secret need PKCE."];
  if (challenge !== null && (method !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(challenge)))
    return ["invalid_request", "code_challenge must be of code_challenge_method=S256."];
  if (!scopes) return ["invalid_scope", "The request contains an unknown scope."];
  const beyond = scopes.filter((scope) => !app.scopes.includes(scope));
  if (beyond.length > 0) return ["invalid_scope", `The app is not registered for ${beyond.join(", ")}.`];
  return undefined;
}
