/** The way of a person: who asks for what, in words; yes or no; and nobody sent anywhere that is not registered. */
import { generateSync } from "otplib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import {
  ask,
  callback,
  codeFor,
  decide,
  exchange,
  fieldsOf,
  redirectTarget,
  pkce,
  registerApp,
  sendForm,
  signedIn,
  type SignedIn,
  type TestApp,
} from "../../../support/oauth.ts";
import { signUp } from "../../../support/browser.ts";

let server: ApiServer;
let app: TestApp;
let open: TestApp;
let ada: SignedIn;
let maker: string;
beforeAll(async () => {
  server = await startApiServer();
  maker = (await server.person("maker")).token;
  app = await registerApp(server, maker, { name: 'Deploy <b>"Bot"</b>' });
  open = await registerApp(server, maker, {
    confidential: false,
    redirect_uris: ["http://[::1]:8123/cb", "com.example.app:/cb"],
  });
  ada = await signedIn(server, "ada");
});
afterAll(() => server.stop());

const request = (more: Record<string, string> = {}) => ({
  client_id: app.client_id,
  redirect_uri: callback,
  scope: "repo:read,user:read",
  state: "a state & <more>",
  ...more,
});
const without = (name: string) =>
  Object.fromEntries(Object.entries(request()).filter(([each]) => each !== name));

test("the page says who asks for what, holds no script, and cannot be framed", async () => {
  const page = await ask(server, request(), ada.browser.cookie());
  expect(page.status).toBe(200);
  for (const text of [
    "Deploy &lt;b&gt;&quot;Bot&quot;&lt;/b&gt;",
    "maker",
    "ada",
    "client.example",
    "See your profile",
    "<code>repo:read</code>",
  ])
    expect(page.text).toContain(text);
  expect(page.text).not.toContain("repo:write");
  expect(page.text).not.toMatch(/<script|javascript:| on\w+=/i);
  expect(page.headers["content-security-policy"]).toBe(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' https://client.example; frame-ancestors 'none'",
  );
  expect(page.headers["x-frame-options"]).toBe("DENY");
  expect(page.headers["referrer-policy"]).toBe("same-origin");
  expect(page.headers["cache-control"]).toBe("no-store");
});

test("yes leads back with a code and the state; no with access_denied", async () => {
  const allowed = redirectTarget(await decide(server, ada, request()));
  expect(`${allowed.origin}${allowed.pathname}`).toBe("https://client.example/callback");
  expect([...allowed.searchParams.keys()].sort()).toEqual(["code", "from", "iss", "state"]);
  expect(allowed.searchParams.get("state")).toBe("a state & <more>");
  expect(allowed.searchParams.get("iss")).toBe(server.webUrl);
  const denied = redirectTarget(await decide(server, ada, request(), "deny"));
  expect(denied.searchParams.get("error")).toBe("access_denied");
  expect(denied.searchParams.get("state")).toBe("a state & <more>");
  expect(denied.searchParams.has("code")).toBe(false);
  const neither = await decide(server, ada, request(), "perhaps");
  expect(neither.status).toBe(400);
});

test.each([
  ["an unknown app", { client_id: "app_01jbcdefghjkmnpqrstvwxyz00" }],
  ["no app", { client_id: "" }],
  ["what is no id", { client_id: "app'--" }],
  ["another address", { redirect_uri: "https://client.example/callback" }],
  ["a longer address", { redirect_uri: `${callback}&x=1` }],
  ["somebody else's address", { redirect_uri: "https://evil.example/" }],
  ["no address", { redirect_uri: "" }],
])("%s is shown, never redirected", async (_what, change) => {
  for (const cookie of ["", ada.browser.cookie()]) {
    const answer = await ask(server, request(change), cookie);
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.headers["content-type"]).toMatch(/^text\/html/);
    expect(answer.text).not.toContain("evil.example");
  }
  // Neither is it from a form.
  const headers = { Cookie: ada.browser.cookie(), Origin: server.webUrl };
  const query = new URLSearchParams(request(change)).toString();
  const fields = { csrf: ada.browser.csrfToken(), request: query, decision: "deny" };
  const answer = await sendForm(server, "/oauth/authorize", fields, headers);
  expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
});

test("a doubled client or address is shown, too", async () => {
  for (const name of ["client_id", "redirect_uri"]) {
    const query = new URLSearchParams(request());
    query.append(name, query.get(name) ?? "");
    const answer = await server.api("GET", `//oauth/authorize?${query.toString()}`);
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  }
});

test.each([
  [{ response_type: "token" }, "unsupported_response_type"],
  [{ scope: "repo:read,root" }, "invalid_scope"],
  [{ scope: "repo:write" }, "invalid_scope"],
  [{ code_challenge: "x".repeat(43) }, "invalid_request"],
  [{ code_challenge: "x".repeat(43), code_challenge_method: "plain" }, "invalid_request"],
  [{ code_challenge: "short", code_challenge_method: "S256" }, "invalid_request"],
  [{ code_challenge_method: "S256" }, "invalid_request"],
])("%o is told to the app as %s", async (change, error) => {
  const at = redirectTarget(await ask(server, request(change)));
  expect([at.host, at.searchParams.get("error")]).toEqual(["client.example", error]);
  expect(at.searchParams.get("state")).toBe("a state & <more>");
});

test("a public app needs PKCE; a page that leads to an app on this machine allows just that", async () => {
  const query = { client_id: open.client_id, redirect_uri: "http://[::1]:8123/cb", scope: "repo:read" };
  expect(redirectTarget(await ask(server, query)).searchParams.get("error")).toBe("invalid_request");
  const policyOf = async (uri: string) => {
    const page = await ask(server, { ...query, redirect_uri: uri, ...pkce().asked }, ada.browser.cookie());
    return /form-action ([^;]*)/.exec(String(page.headers["content-security-policy"]))?.[1];
  };
  expect(await policyOf("http://[::1]:8123/cb")).toBe("'self' http:");
  expect(await policyOf("com.example.app:/cb")).toBe("'self' com.example.app:");
});

test("without a scope it is asked for all that the app is registered for; spaces do as commas", async () => {
  const all = await ask(server, without("scope"), ada.browser.cookie());
  for (const scope of ["repo:read", "user:read", "user:write", "pipeline:read"])
    expect(all.text).toContain(`<code>${scope}</code>`);
  const spaced = await ask(server, request({ scope: "repo:read pipeline:read" }), ada.browser.cookie());
  expect(spaced.text).toContain("<code>pipeline:read</code>");
});

test("nobody's browser can be made to agree", async () => {
  const page = await ask(server, request(), ada.browser.cookie());
  const fields = { ...fieldsOf(page.text), decision: "allow" };
  const eve = await signedIn(server, "eve");
  const forged: [Record<string, string>, Record<string, string>][] = [
    [fields, { Cookie: ada.browser.cookie(), Origin: "https://evil.example" }],
    [fields, { Cookie: ada.browser.cookie(), Origin: "null" }],
    [fields, { Cookie: ada.browser.cookie() }],
    [
      { ...fields, csrf: "" },
      { Cookie: ada.browser.cookie(), Origin: server.webUrl },
    ],
    [
      { ...fields, csrf: eve.browser.csrfToken() },
      { Cookie: ada.browser.cookie(), Origin: server.webUrl },
    ],
    [fields, { Cookie: eve.browser.cookie(), Origin: server.webUrl }],
  ];
  for (const [body, headers] of forged) {
    const answer = await sendForm(server, "/oauth/authorize", body, headers);
    expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
  }
  const nobody = await sendForm(server, "/oauth/authorize", fields, { Origin: server.webUrl });
  expect(nobody.status).toBe(401);
  // A token is no browser.
  const token = await server.api("GET", `//oauth/authorize?${new URLSearchParams(request()).toString()}`, {
    token: maker,
  });
  expect(token.text).toContain('action="/oauth/sign-in"');
});

test("a page of the web interface asks by REST: the same request, judged the same, with the same ends", async () => {
  const send = (path: string, body: unknown) => ada.browser.send("POST", `/user/oauth-requests${path}`, body);
  const text = new URLSearchParams(request()).toString();
  expect((await send("", { request: text })).json).toEqual({
    app: { id: app.client_id, name: 'Deploy <b>"Bot"</b>', owner: "maker", homepage_url: null },
    scopes: ["repo:read", "user:read"],
    returns_to: "client.example",
  });
  const deny = await send("/decisions", { request: text, decision: "deny" });
  expect(new URL(deny.json.location).searchParams.get("error")).toBe("access_denied");
  const allow = await send("/decisions", { request: text, decision: "allow" });
  const { origin, searchParams } = new URL(allow.json.location);
  expect([origin, searchParams.get("state")]).toEqual(["https://client.example", "a state & <more>"]);
  expect((await exchange(server, app, searchParams.get("code") ?? "")).status).toBe(200);
  for (const change of [
    { client_id: "" },
    { redirect_uri: "https://evil.example/" },
    { scope: "root" },
    { response_type: "token" },
  ] as Record<string, string>[])
    for (const path of ["", "/decisions"]) {
      const wrong = new URLSearchParams(request(change)).toString();
      const answer = await send(path, { request: wrong, ...(path ? { decision: "allow" } : {}) });
      expect([answer.status, answer.text.includes("evil.example")]).toEqual([422, false]);
    }
  const body = { request: text, decision: "allow" };
  const { token } = await server.person("nora", { scopes: ["user:write", "repo:read", "user:read"] });
  const narrow = await server.api("POST", "/user/oauth-requests/decisions", { token, body });
  expect(narrow.status).toBe(403);
  const headers = { Cookie: ada.browser.cookie(), Origin: server.webUrl };
  expect((await server.api("POST", "/user/oauth-requests/decisions", { headers, body })).status).toBe(403);
});

test("who is not signed in signs in first, and comes back to the same request", async () => {
  await signUp(server, "kim", "another long password");
  const page = await ask(server, request());
  expect(page.text).toContain('action="/oauth/sign-in"');
  const form = { ...fieldsOf(page.text), username: "kim" };
  const headers = { Origin: server.webUrl };
  const wrong = await sendForm(server, "/oauth/sign-in", { ...form, password: "not the password" }, headers);
  expect([wrong.status, wrong.headers["set-cookie"]]).toEqual([401, undefined]);
  expect(wrong.text).toContain("The name or the password is wrong.");
  expect(wrong.text).not.toContain("not the password");
  const foreign = await sendForm(
    server,
    "/oauth/sign-in",
    { ...form, password: "another long password" },
    { Origin: "https://evil.example" },
  );
  expect([foreign.status, foreign.headers["set-cookie"]]).toEqual([403, undefined]);
  const right = await sendForm(
    server,
    "/oauth/sign-in",
    { ...form, password: "another long password" },
    headers,
  );
  expect(right.status).toBe(303);
  expect(right.headers.location).toBe(`/oauth/authorize?${new URLSearchParams(request()).toString()}`);
  const cookie = right.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  expect((await ask(server, request(), cookie)).text).toContain("You are signed in as <strong>kim</strong>");
  for (const to of ["https://evil.example/", "//evil.example", "\r\nX: y"]) {
    const answer = await sendForm(
      server,
      "/oauth/sign-in",
      { ...form, request: to, password: "another long password" },
      headers,
    );
    expect(answer.headers.location).toMatch(/^\/oauth\/authorize\?[^\r\n]*$/);
  }
});

test("asks for the second factor where one is on", async () => {
  const lea = await signedIn(server, "lea");
  const password = "a very long password";
  const prepared = await lea.browser.send("POST", "/user/two-factor", { password });
  const otp = generateSync({ secret: prepared.json.secret });
  const enabled = await lea.browser.send("PUT", "/user/two-factor", { otp });
  const recovery = enabled.json.recovery_codes[0] as string;
  const page = await ask(server, request());
  const form = { ...fieldsOf(page.text), username: "lea", password };
  const headers = { Origin: server.webUrl };
  const without = await sendForm(server, "/oauth/sign-in", form, headers);
  expect([without.status, without.text.includes("second-factor code is required")]).toEqual([401, true]);
  expect((await sendForm(server, "/oauth/sign-in", { ...form, otp: recovery }, headers)).status).toBe(303);
});

test("an app of a suspended user is none", async () => {
  const sam = await server.person("sam");
  const theirs = await registerApp(server, sam.token);
  const query = request({ client_id: theirs.client_id });
  expect((await ask(server, query)).status).toBe(200);
  await server.container.platform.db.query("update users set suspended = true where id = $1", [sam.id]);
  expect((await ask(server, query)).status).toBe(400);
});

test("what was agreed to and what was given stand in the audit log", async () => {
  await codeFor(server, ada, app);
  const row = await server.container.platform.db.one<{ details: { scopes: string[] } }>(
    "select details from audit_log where action = 'oauth.authorize' and target_id = $1 and actor_username = 'ada' order by seq desc limit 1",
    [app.client_id],
  );
  expect(row?.details.scopes).toEqual(["repo:read", "user:read"]);
});
