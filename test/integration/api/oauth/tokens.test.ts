/** Codes and tokens: each works once, for one app; one that comes again ends all that came of it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiAnswer, type ApiServer } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import {
  askToken,
  callback,
  codeFor,
  credentialsOf,
  exchange,
  pkce,
  registerApp,
  sendForm,
  signedIn,
  type SignedIn,
  type TestApp,
} from "../../../support/oauth.ts";

let server: ApiServer;
let other: ApiServer;
let maker: string;
let app: TestApp;
let open: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  server = await startApiServer();
  // What it has read of a token it believes until it hears otherwise.
  other = await startApiServer({ beside: server, periods: { tokenCacheMs: 3_600_000 } });
  maker = (await server.person("maker")).token;
  app = await registerApp(server, maker);
  open = await registerApp(server, maker, { confidential: false });
  ada = await signedIn(server, "ada");
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const userOf = (token: string, at = server) => at.api("GET", "/user", { token });
const refresh = (refreshToken: string, more: Record<string, string> = {}) =>
  askToken(server, app, { grant_type: "refresh_token", refresh_token: refreshToken, ...more });
const tokens = async (person = ada) => (await exchange(server, app, await codeFor(server, person, app))).json;

function refused(answer: ApiAnswer, error: string, status = 400): void {
  expect([answer.status, answer.json.error]).toEqual([status, error]);
  expect(answer.json).toEqual({
    error,
    error_description: expect.any(String),
    message: answer.json.error_description,
    documentation_url: `${server.webUrl}/docs/oauth#${error}`,
  });
  expect(answer.headers["cache-control"]).toBe("no-store");
}

test("a code gives tokens of eight hours that act for the person, within their scopes", async () => {
  const answer = await exchange(server, app, await codeFor(server, ada, app));
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    access_token: expect.stringMatching(/^svc_oauth_[\w-]{51}$/),
    token_type: "bearer",
    expires_in: 28800,
    refresh_token: expect.stringMatching(/^svc_refresh_[\w-]{51}$/),
    scope: "repo:read,user:read",
  });
  expect([answer.headers["cache-control"], answer.headers["pragma"]]).toEqual(["no-store", "no-cache"]);
  const { access_token: token, refresh_token: refreshToken } = answer.json;
  expect((await userOf(token)).json.username).toBe("ada");
  expect((await userOf(token, other)).json.username).toBe("ada");
  expect((await server.api("PATCH", "/user", { token, body: { name: "x" } })).json.required_scopes).toEqual([
    "user:write",
  ]);
  // Neither is what only the token endpoint takes a credential elsewhere.
  for (const none of [refreshToken, app.client_secret ?? ""]) expect((await userOf(none)).status).toBe(401);
  // No personal token, to be seen or ended as such, and none of its values is in the database.
  const personal = await ada.browser.send("GET", "/user/tokens");
  expect([personal.json, personal.headers["x-total-count"]]).toEqual([[], "0"]);
  const [row] = await server.container.platform.db.query<{ id: string }>(
    "select id from access_tokens where family_id is not null",
  );
  for (const method of ["GET", "DELETE"])
    expect((await ada.browser.send(method, `/user/tokens/${row?.id}`)).status).toBe(404);
  expect((await userOf(token)).status).toBe(200);
  for (const table of ["access_tokens", "oauth_codes", "oauth_refresh_tokens", "oauth_apps", "audit_log"]) {
    const rows = JSON.stringify(
      await server.container.platform.db.query(`select t::text as row from ${table} t`),
    );
    expect(rows).not.toMatch(/svc_(oauth|refresh|code|client)_/);
  }
});

test("a code works once; a second use ends what the first gave, on every server", async () => {
  const code = await codeFor(server, ada, app);
  const first = await exchange(server, app, code);
  expect((await userOf(first.json.access_token, other)).status).toBe(200);
  refused(await exchange(server, app, code), "invalid_grant");
  expect((await userOf(first.json.access_token)).status).toBe(401);
  await eventually(async () => (await userOf(first.json.access_token, other)).status === 401);
  refused(await refresh(first.json.refresh_token), "invalid_grant");
});

test("theft stands in the audit log, by its name", async () => {
  const own = await registerApp(server, maker);
  const code = await codeFor(server, ada, own);
  const given = (await exchange(server, own, code)).json;
  const again = { grant_type: "refresh_token", refresh_token: given.refresh_token };
  for (let time = 0; time < 2; time++) await askToken(server, own, again);
  const second = await codeFor(server, ada, own);
  for (let time = 0; time < 2; time++) await exchange(server, own, second);
  const rows = await server.container.platform.db.query<{ action: string; actor_username: string }>(
    "select action, actor_username from audit_log where target_id = $1 and action ~ 'reuse' order by seq",
    [own.client_id],
  );
  expect(rows).toEqual([
    { action: "oauth.refresh_reuse", actor_username: "ada" },
    { action: "oauth.code_reuse", actor_username: "ada" },
  ]);
});

test("of twenty that bring the same code at once none keeps a token", async () => {
  const code = await codeFor(server, ada, app);
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(server, app, code)));
  const given = answers.filter((answer) => answer.status === 200);
  expect(given.length).toBe(1);
  expect((await userOf(given[0]?.json.access_token)).status).toBe(401);
});

test("a code is bound to app, address and minute", async () => {
  const stranger = await registerApp(server, maker);
  const code = await codeFor(server, ada, app);
  refused(await exchange(server, stranger, code), "invalid_grant");
  expect((await exchange(server, app, code)).status).toBe(200);
  const moved = await codeFor(server, ada, app);
  refused(await exchange(server, app, moved, { redirect_uri: `${callback}x` }), "invalid_grant");
  refused(await exchange(server, app, moved), "invalid_grant");
  const late = await codeFor(server, ada, app);
  await server.container.platform.db.query("update oauth_codes set expires_at = now() where used_at is null");
  refused(await exchange(server, app, late), "invalid_grant");
});

test("PKCE: only who has the verifier gets tokens, and it cannot be left out", async () => {
  const { verifier, asked } = pkce();
  const tried = async (client: TestApp, more: Record<string, string>, given: Record<string, string>) =>
    exchange(server, client, await codeFor(server, ada, client, more), given);
  for (const client of [open, app]) {
    expect((await tried(client, asked, { code_verifier: verifier })).status).toBe(200);
    refused(await tried(client, asked, { code_verifier: pkce().verifier }), "invalid_grant");
    refused(await tried(client, asked, { code_verifier: "short" }), "invalid_grant");
    refused(await tried(client, asked, {}), "invalid_grant");
  }
  refused(await tried(app, {}, { code_verifier: verifier }), "invalid_grant");
});

test("an app proves itself by header or form, and in one way only", async () => {
  const basic = (id: string, secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
  });
  const ask = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    sendForm(
      server,
      "/oauth/token",
      { redirect_uri: callback, grant_type: "authorization_code", ...fields },
      headers,
    );
  const code = await codeFor(server, ada, app);
  const { client_id: id } = app;
  const secret = app.client_secret ?? "";
  const wrong = await ask({ code }, basic(id, `${secret}x`));
  refused(wrong, "invalid_client", 401);
  expect(wrong.headers["www-authenticate"]).toMatch(/^Basic /);
  refused(await ask({ code, client_id: id }), "invalid_client", 401);
  refused(await ask({ code, client_id: id, client_secret: "x" }), "invalid_client", 401);
  refused(
    await ask({ code, client_id: "app_01jbcdefghjkmnpqrstvwxyz00", client_secret: secret }),
    "invalid_client",
    401,
  );
  refused(await ask({ code }, { Authorization: `Bearer ${secret}` }), "invalid_client", 401);
  refused(await ask({ code }, { Authorization: "Basic %%%" }), "invalid_client", 401);
  refused(await ask({ code, client_secret: secret }, basic(id, secret)), "invalid_request");
  refused(await ask({ code, client_id: open.client_id }, basic(id, secret)), "invalid_request");
  refused(await ask({ code, client_id: open.client_id, client_secret: secret }), "invalid_client", 401);
  expect((await ask({ code }, basic(id, secret))).status).toBe(200);
});

test("what is not a request of OAuth is told so", async () => {
  const credentials = credentialsOf(app);
  refused(
    await askToken(server, app, { grant_type: "password", username: "a", password: "b" }),
    "unsupported_grant_type",
  );
  refused(await askToken(server, app, {}), "invalid_request");
  refused(await askToken(server, app, { code: "x" }), "invalid_request");
  refused(await exchange(server, app, "svc_code_\0\uFFFD"), "invalid_grant");
  refused(await askToken(server, app, { grant_type: "refresh_token" }), "invalid_request");
  const doubled = new URLSearchParams({ ...credentials, code: "a", redirect_uri: callback });
  doubled.append("code", "b");
  refused(await sendForm(server, "/oauth/token", doubled), "invalid_request");
  const json = await server.api("POST", "//oauth/token", { body: { ...credentials, code: "x" } });
  refused(json, "invalid_request");
  const large = await sendForm(server, "/oauth/token", { ...credentials, code: "x".repeat(100_000) });
  expect([large.status, large.json.error]).toEqual([413, "payload_too_large"]);
  expect((await server.api("GET", "//oauth/token")).status).toBe(405);
  const inAddress = await sendForm(server, `/oauth/token?code=${"svc_code_x"}`, credentials);
  expect(inAddress.status).toBe(401);
});

test("a refresh gives new tokens, narrower when asked, and each refresh token once", async () => {
  const first = await tokens();
  const second = await refresh(first.refresh_token, { scope: "repo:read" });
  expect(second.json).toMatchObject({ scope: "repo:read", expires_in: 28800, token_type: "bearer" });
  expect(second.json.refresh_token).not.toBe(first.refresh_token);
  expect((await userOf(second.json.access_token)).json.required_scopes).toEqual(["user:read"]);
  refused(await refresh(second.json.refresh_token, { scope: "repo:read,user:write" }), "invalid_scope");
  const third = await refresh(second.json.refresh_token);
  expect(third.json.scope).toBe("repo:read,user:read");
  // A used one: the family ends.
  refused(await refresh(first.refresh_token), "invalid_grant");
  refused(await refresh(third.json.refresh_token), "invalid_grant");
  for (const each of [first, second.json, third.json])
    expect((await userOf(each.access_token)).status).toBe(401);
});

test("of ten that refresh at once with the same token none keeps anything, and other families live on", async () => {
  const bystander = await tokens();
  const { refresh_token: refreshToken } = await tokens();
  const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));
  const given = answers.filter((answer) => answer.status === 200);
  expect(given.length).toBe(1);
  expect((await userOf(given[0]?.json.access_token)).status).toBe(401);
  expect((await userOf(bystander.access_token)).status).toBe(200);
});

test("a refresh token is bound to its app, and ends after 180 days", async () => {
  const { refresh_token: refreshToken } = await tokens();
  const stranger = await registerApp(server, maker);
  const theirs = await askToken(server, stranger, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
  });
  refused(theirs, "invalid_grant");
  const days = await server.container.platform.db.one<{ days: number }>(
    "select round(extract(epoch from max(expires_at) - now()) / 86400)::int as days from oauth_refresh_tokens",
  );
  expect(days?.days).toBe(180);
  await server.container.platform.db.query(
    "update oauth_refresh_tokens set expires_at = now() where used_at is null",
  );
  refused(await refresh(refreshToken), "invalid_grant");
});

test("an access token ends after its eight hours", async () => {
  const { access_token: token } = await tokens();
  await server.container.platform.db.query(
    "update access_tokens set expires_at = now() - interval '1 second' where family_id is not null",
  );
  expect((await userOf(token)).status).toBe(401);
});

test("an app gives tokens back: an access token alone, a refresh token with its family; unknown ones are no error", async () => {
  const revoke = (token: string, client = app) =>
    sendForm(server, "/oauth/revoke", { ...credentialsOf(client), token, token_type_hint: "nonsense" });
  const given = await tokens();
  const stranger = await registerApp(server, maker);
  expect((await revoke(given.access_token, stranger)).status).toBe(200);
  expect((await userOf(given.access_token)).status).toBe(200);
  expect((await revoke(given.access_token)).status).toBe(200);
  expect((await userOf(given.access_token)).status).toBe(401);
  const again = await refresh(given.refresh_token);
  expect(again.status).toBe(200);
  expect((await revoke(again.json.refresh_token)).status).toBe(200);
  expect((await userOf(again.json.access_token)).status).toBe(401);
  refused(await refresh(again.json.refresh_token), "invalid_grant");
  // A personal token is none of the app's.
  const own = await ada.browser.send("POST", "/user/tokens", { name: "x", scopes: ["user:read"] });
  for (const token of ["svc_oauth_nothing", own.json.token]) expect((await revoke(token)).status).toBe(200);
  expect((await userOf(own.json.token)).status).toBe(200);
  refused(await sendForm(server, "/oauth/revoke", credentialsOf(app)), "invalid_request");
  refused(
    await sendForm(server, "/oauth/revoke", { client_id: app.client_id, token: "x" }),
    "invalid_client",
    401,
  );
});

test("an app cannot keep what it was given by making personal tokens of it", async () => {
  const answer = await exchange(
    server,
    app,
    await codeFor(server, ada, app, { scope: "user:write,repo:read" }),
  );
  for (const expires of [1, null]) {
    const made = await server.api("POST", "/user/tokens", {
      token: answer.json.access_token,
      body: { name: "kept", scopes: ["repo:read"], expires_in_days: expires },
    });
    expect([made.status, made.json.errors[0].field]).toEqual([422, "expires_in_days"]);
  }
});
