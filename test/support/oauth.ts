/** OAuth as an app and a person's browser see it: forms sent, pages read, redirects looked at and not followed. */
import { createHash, randomBytes } from "node:crypto";
import type { ApiAnswer, ApiServer } from "./api-server.ts";
import { openBrowser, signUp, type Browser } from "./browser.ts";

export interface TestApp {
  client_id: string;
  client_secret: string | null;
  redirect_uris: string[];
}

export const callback = "https://client.example/callback?from=forgeline";

/** Registered through the API; `body` changes what is asked. */
export async function registerApp(
  server: ApiServer,
  token: string,
  body: Record<string, unknown> = {},
): Promise<TestApp> {
  const answer = await server.api("POST", "/user/oauth-apps", {
    token,
    body: {
      name: "Deploy Bot",
      redirect_uris: [callback],
      scopes: ["repo:read", "user:read", "user:write", "pipeline:read"],
      ...body,
    },
  });
  if (answer.status !== 201) throw new Error(`registering gave ${answer.status}: ${answer.text}`);
  return answer.json as TestApp;
}

export function sendForm(
  server: ApiServer,
  path: string,
  fields: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  const body = new URLSearchParams(fields).toString();
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  return server.api("POST", `/${path}`, { body, headers: { ...type, ...headers } });
}

export interface SignedIn {
  browser: Browser;
  username: string;
}

const password = "a very long password";

export async function signedIn(server: ApiServer, username: string): Promise<SignedIn> {
  await signUp(server, username, password);
  const browser = openBrowser(server);
  const answer = await browser.signIn(username, password);
  if (answer.status !== 201) throw new Error(`signing in gave ${answer.status}: ${answer.text}`);
  return { browser, username };
}

export function ask(server: ApiServer, query: Record<string, string>, cookie = ""): Promise<ApiAnswer> {
  const headers: Record<string, string> = cookie === "" ? {} : { Cookie: cookie };
  return server.api("GET", `//oauth/authorize?${new URLSearchParams(query).toString()}`, { headers });
}

/** What the forms of a page send: its hidden fields. */
export function fieldsOf(page: string): Record<string, string> {
  const found = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  const plain = (text: string) =>
    text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, plain(value)]));
}

/** Asks, and presses a button. */
export async function decide(
  server: ApiServer,
  { browser }: SignedIn,
  query: Record<string, string>,
  decision = "allow",
): Promise<ApiAnswer> {
  const page = await ask(server, query, browser.cookie());
  if (page.status !== 200)
    throw new Error(`asking gave ${page.status}: ${page.headers.location ?? page.text}`);
  const headers = { Cookie: browser.cookie(), Origin: server.webUrl };
  return sendForm(server, "/oauth/authorize", { ...fieldsOf(page.text), decision }, headers);
}

export function redirectTarget(answer: ApiAnswer): URL {
  if (answer.status !== 303) throw new Error(`no redirect but ${answer.status}: ${answer.text}`);
  return new URL(answer.headers.location ?? "");
}

export async function codeFor(
  server: ApiServer,
  person: SignedIn,
  app: TestApp,
  more: Record<string, string> = {},
): Promise<string> {
  const query = {
    client_id: app.client_id,
    redirect_uri: app.redirect_uris[0] ?? "",
    scope: "repo:read,user:read",
    state: "s",
    ...more,
  };
  const code = redirectTarget(await decide(server, person, query)).searchParams.get("code");
  if (code === null) throw new Error("no code came");
  return code;
}

export function credentialsOf(app: TestApp): Record<string, string> {
  return { client_id: app.client_id, ...(app.client_secret ? { client_secret: app.client_secret } : {}) };
}

/** At the token endpoint, as this app. */
export function askToken(
  server: ApiServer,
  app: TestApp,
  fields: Record<string, string>,
): Promise<ApiAnswer> {
  return sendForm(server, "/oauth/token", { ...credentialsOf(app), ...fields });
}

export function exchange(server: ApiServer, app: TestApp, code: string, more: Record<string, string> = {}) {
  return askToken(server, app, { code, redirect_uri: app.redirect_uris[0] ?? "", ...more });
}

export function pkce(): { verifier: string; asked: Record<string, string> } {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return { verifier, asked: { code_challenge: challenge, code_challenge_method: "S256" } };
}
