/** Changing an app: what people read of it, and where they may be sent; who can read it where. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import {
  ask,
  askToken,
  callback,
  codeFor,
  exchange,
  registerApp,
  sendForm,
  signedIn,
  type SignedIn,
} from "../../../support/oauth.ts";

let server: ApiServer;
let maker: TestPerson;
let ada: SignedIn;
beforeAll(async () => {
  server = await startApiServer();
  maker = await server.person("maker");
  ada = await signedIn(server, "ada");
});
afterAll(() => server.stop());

const edit = (id: string, body: unknown, token = maker.token) =>
  server.api("PATCH", `/user/oauth-apps/${id}`, { token, body });
const other = "https://client.example/other";

test("name, addresses and home page are changed one by one; what is not named stays, the secret and tokens too", async () => {
  const app = await registerApp(server, maker.token, { homepage_url: "https://bot.example/about" });
  const given = await exchange(server, app, await codeFor(server, ada, app));
  const shown = async () =>
    (await server.api("GET", `/user/oauth-apps/${app.client_id}`, { token: maker.token })).json;
  const before = await shown();
  expect(before.homepage_url).toBe("https://bot.example/about");
  for (const change of [
    { name: "Release Bot" },
    { homepage_url: null },
    { redirect_uris: [callback, other] },
    { homepage_url: "http://bot.example/", name: "Bot" },
  ]) {
    const last = await shown();
    const answer = await edit(app.client_id, change);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...last, ...change, updated_at: answer.json.updated_at });
    expect(await shown()).toEqual(answer.json);
  }
  const refreshed = await askToken(server, app, {
    grant_type: "refresh_token",
    refresh_token: given.json.refresh_token,
  });
  expect(refreshed.status).toBe(200);
  const rows = await server.container.platform.db.query<{ details: object }>(
    "select details from audit_log where action = 'oauth.app_update' and target_id = $1 order by seq",
    [app.client_id],
  );
  expect(rows.map(({ details }) => details)).toEqual([
    { name: { from: "Deploy Bot", to: "Release Bot" } },
    { homepage_url: { from: "https://bot.example/about", to: null } },
    { redirect_uris: { from: [callback], to: [callback, other] } },
    { homepage_url: { from: null, to: "http://bot.example/" }, name: { from: "Release Bot", to: "Bot" } },
  ]);
  // Nothing changed: nothing recorded.
  expect((await edit(app.client_id, { name: "Bot" })).status).toBe(200);
  expect((await edit(app.client_id, {})).status).toBe(200);
  const { n } = (await server.container.platform.db.one<{ n: number }>(
    "select count(*) as n from audit_log where action = 'oauth.app_update' and target_id = $1",
    [app.client_id],
  ))!;
  expect(n).toBe(4);
});

test.each([
  ["homepage_url", "javascript:alert(1)"],
  ["homepage_url", "https://user:pw@bot.example/"],
  ["homepage_url", 'https://bot.example/"><script>'],
  ["homepage_url", "https://b\u202eot.example/"],
  ["homepage_url", "bot.example"],
  ["homepage_url", ""],
  ["name", "a\u202eb"],
  ["name", null],
  ["redirect_uris.0", ["http://client.example/"]],
  ["redirect_uris", []],
  ["scopes", ["repo:admin"]],
  ["confidential", false],
])("a change of %s to %s is refused and changes nothing", async (field, value) => {
  const app = await registerApp(server, maker.token);
  const answer = await edit(app.client_id, { name: "Else", [field.split(".")[0] ?? ""]: value });
  expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([422, field]);
  const path = `/user/oauth-apps/${app.client_id}`;
  expect((await server.api("GET", path, { token: maker.token })).json.name).toBe("Deploy Bot");
});

test("an address that is taken away is refused at once, with the codes that were sent there", async () => {
  const app = await registerApp(server, maker.token, { redirect_uris: [callback, other] });
  const waiting = await codeFor(server, ada, app);
  expect((await edit(app.client_id, { redirect_uris: [other] })).status).toBe(200);
  expect((await exchange(server, app, waiting)).json.error).toBe("invalid_grant");
  const asked = { client_id: app.client_id, redirect_uri: callback, scope: "repo:read", state: "s" };
  const page = await ask(server, asked, ada.browser.cookie());
  expect([page.status, page.headers.location]).toEqual([400, undefined]);
  const elsewhere = await ask(server, { ...asked, redirect_uri: other }, ada.browser.cookie());
  expect(elsewhere.status).toBe(200);
});

test("people who are asked see the home page, as a link and as text", async () => {
  const app = await registerApp(server, maker.token, { homepage_url: "https://bot.example/?a=1&b='2" });
  const asked = { client_id: app.client_id, redirect_uri: callback, scope: "repo:read", state: "s" };
  const page = await ask(server, asked, ada.browser.cookie());
  expect(page.text).toMatch(
    /<a rel="noopener noreferrer nofollow" href="(https:\/\/bot\.example\/\?a=1&amp;b=[^"]*2)">\1<\/a>/,
  );
});

test("an organization's apps are changed by its owners", async () => {
  await server.api("POST", "/orgs", { token: maker.token, body: { name: "acme" } });
  const body = { name: "CI", redirect_uris: [callback], scopes: ["repo:read"] };
  const made = (await server.api("POST", "/orgs/acme/oauth-apps", { token: maker.token, body })).json;
  const change = (token: string) =>
    server.api("PATCH", `/orgs/acme/oauth-apps/${made.id}`, { token, body: { name: "CD" } });
  const outsider = await server.person("outsider");
  expect((await change(outsider.token)).status).toBe(404);
  expect((await change(maker.token)).json).toMatchObject({ id: made.id, name: "CD", owner: "acme" });
  expect((await edit(made.id, { name: "X" })).status).toBe(404);
});

test("pages of any origin may exchange and read the description, without cookies; none may call the consent page", async () => {
  const app = await registerApp(server, maker.token, { confidential: false });
  const headers = { Origin: "https://spa.example", "Access-Control-Request-Method": "POST" };
  for (const path of ["//oauth/token", "//oauth/revoke", "//.well-known/oauth-authorization-server"]) {
    const preflight = await server.api("OPTIONS", path, { headers });
    expect([path, preflight.status, preflight.text]).toEqual([path, 204, ""]);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "Content-Type",
    });
    expect(preflight.headers["access-control-allow-methods"]).toBe(
      path.startsWith("//oauth") ? "POST" : "GET, HEAD",
    );
    expect(preflight.headers).not.toHaveProperty("access-control-allow-credentials");
  }
  const origin = { Origin: "https://spa.example" };
  const described = await server.api("GET", "//.well-known/oauth-authorization-server", { headers: origin });
  const refused = await sendForm(server, "/oauth/token", { client_id: app.client_id, code: "x" }, origin);
  const wrongMethod = await server.api("GET", "//oauth/token", { headers: origin });
  expect([described.status, refused.status, wrongMethod.status]).toEqual([200, 400, 405]);
  for (const answer of [described, refused, wrongMethod])
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
  for (const [method, path] of [
    ["GET", "//oauth/authorize"],
    ["OPTIONS", "//oauth/authorize"],
    ["OPTIONS", "//oauth/sign-in"],
    ["GET", "/user"],
  ] as const) {
    const answer = await server.api(method, path, { headers: { ...headers, Cookie: ada.browser.cookie() } });
    expect([path, answer.headers["access-control-allow-origin"]]).toEqual([path, undefined]);
  }
});
