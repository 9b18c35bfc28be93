/** Registering apps, for oneself and for an organization; what one has allowed to whom, and taking it back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import {
  askToken,
  callback,
  codeFor,
  exchange,
  registerApp,
  signedIn,
  type SignedIn,
} from "../../../support/oauth.ts";

let server: ApiServer;
let other: ApiServer;
let maker: string;
let ada: SignedIn;
beforeAll(async () => {
  server = await startApiServer();
  // What it has read of a token it believes until it hears otherwise.
  other = await startApiServer({ beside: server, periods: { tokenCacheMs: 3_600_000 } });
  maker = (await server.person("maker")).token;
  ada = await signedIn(server, "ada");
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const wanted = { name: "CI", redirect_uris: [callback], scopes: ["repo:read"] };
const userOf = (token: string, at = server) => at.api("GET", "/user", { token });

test("an app's secret is shown once, and no listing has it", async () => {
  const made = await server.api("POST", "/user/oauth-apps", { token: maker, body: wanted });
  expect(made.status).toBe(201);
  expect(made.headers.location).toBe(made.json.url);
  expect(made.json).toMatchObject({ client_id: made.json.id, owner: "maker", confidential: true, ...wanted });
  expect(made.json.client_secret).toMatch(/^svc_client_[\w-]{51}$/);
  const shown = await server.api("GET", `/user/oauth-apps/${made.json.id}`, { token: maker });
  const { client_secret: _secret, ...rest } = made.json;
  expect(shown.json).toEqual(rest);
  const list = await server.api("GET", "/user/oauth-apps", { token: maker });
  expect(list.json).toContainEqual(rest);
  expect(list.text).not.toContain("svc_client_");
});

test("a public app has no secret, and none can be made", async () => {
  const app = await registerApp(server, maker, { confidential: false });
  expect(app.client_secret).toBeNull();
  const rotated = await server.api("POST", `/user/oauth-apps/${app.client_id}/secret`, { token: maker });
  expect(rotated.status).toBe(409);
});

test.each([
  "http://client.example/cb",
  "https://user:pw@client.example/cb",
  "https://client.example/cb#part",
  "https:client.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "myapp:/cb",
  "https://client.example/ cb",
  'https://client.example/"><script>',
  "https://client.example/é",
  "//client.example/cb",
  "http://localhost.evil.example/",
  "",
])("refuses %s as an address to go back to", async (uri) => {
  const body = { ...wanted, redirect_uris: [callback, uri] };
  const answer = await server.api("POST", "/user/oauth-apps", { token: maker, body });
  expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([422, "redirect_uris.1"]);
});

test("a name cannot hide or turn text", async () => {
  for (const name of ["", "a\u202eb", "a\nb", "a\u0000b"]) {
    const answer = await server.api("POST", "/user/oauth-apps", { token: maker, body: { ...wanted, name } });
    expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([422, "name"]);
  }
});

test("another's app is not told from an absent one", async () => {
  const app = await registerApp(server, maker);
  const stranger = (await server.person("stranger")).token;
  for (const [method, rest] of [
    ["GET", ""],
    ["PATCH", ""],
    ["DELETE", ""],
    ["POST", "/secret"],
  ]) {
    const ask = (id: string) =>
      server.api(method ?? "", `/user/oauth-apps/${id}${rest}`, {
        token: stranger,
        ...(method === "PATCH" ? { body: { name: "Mine" } } : {}),
      });
    const theirs = await ask(app.client_id);
    expect([theirs.status, theirs.text]).toEqual([404, (await ask("app_01jbcdefghjkmnpqrstvwxyz00")).text]);
  }
});

test("a new secret replaces the old one and leaves tokens alone", async () => {
  const app = await registerApp(server, maker);
  const given = await exchange(server, app, await codeFor(server, ada, app));
  const rotated = await server.api("POST", `/user/oauth-apps/${app.client_id}/secret`, { token: maker });
  expect(rotated.status).toBe(200);
  const refresh = { grant_type: "refresh_token", refresh_token: given.json.refresh_token };
  expect((await askToken(server, app, refresh)).json.error).toBe("invalid_client");
  const renewed = { ...app, client_secret: rotated.json.client_secret };
  expect((await askToken(server, renewed, refresh)).status).toBe(200);
  expect((await userOf(given.json.access_token)).status).toBe(200);
});

test("an organization's apps are for its owners", async () => {
  await server.api("POST", "/orgs", { token: maker, body: { name: "acme" } });
  const made = await server.api("POST", "/orgs/acme/oauth-apps", { token: maker, body: wanted });
  expect([made.status, made.json.owner]).toEqual([201, "acme"]);
  expect(made.json.url).toBe(`${server.baseUrl}/orgs/acme/oauth-apps/${made.json.id}`);
  expect((await server.api("GET", made.json.url.slice(server.baseUrl.length), { token: maker })).status).toBe(
    200,
  );
  expect((await server.api("GET", "/orgs/acme/oauth-apps", { token: maker })).json).toHaveLength(1);
  // Not one of its owner's own.
  expect((await server.api("GET", `/user/oauth-apps/${made.json.id}`, { token: maker })).status).toBe(404);
  const outsider = (await server.person("outsider")).token;
  expect((await server.api("GET", "/orgs/acme/oauth-apps", { token: outsider })).status).toBe(404);
  const member = await server.person("member");
  await server.container.platform.db.query(
    `insert into organization_members (organization_id, user_id, role)
     select id, $1, 'member' from owners where name = 'acme'`,
    [member.id],
  );
  for (const method of ["GET", "POST"]) {
    const body = method === "POST" ? { body: wanted } : {};
    const answer = await server.api(method, "/orgs/acme/oauth-apps", { token: member.token, ...body });
    expect(answer.status).toBe(403);
  }
  const path = `/orgs/acme/oauth-apps/${made.json.id}`;
  const rotated = await server.api("POST", `${path}/secret`, { token: maker });
  expect(rotated.json.client_secret).not.toBe(made.json.client_secret);
  expect((await server.api("DELETE", path, { token: maker })).status).toBe(204);
  expect((await server.api("GET", path, { token: maker })).status).toBe(404);
});

test("what one has allowed is listed once an app, and withdrawn at once on every server", async () => {
  const bob = await signedIn(server, "bob");
  const app = await registerApp(server, maker, { name: "Reader" });
  const first = await exchange(server, app, await codeFor(server, bob, app, { scope: "user:read" }));
  const waiting = await codeFor(server, bob, app, { scope: "repo:read,user:read" });
  const list = await bob.browser.send("GET", "/user/grants");
  expect(list.json).toMatchObject([
    { app: { id: app.client_id, name: "Reader", owner: "maker" }, scopes: ["repo:read", "user:read"] },
  ]);
  const [grant] = list.json;
  expect((await userOf(first.json.access_token)).json.username).toBe("bob");
  expect((await userOf(first.json.access_token, other)).status).toBe(200);
  await eventually(
    async () => (await bob.browser.send("GET", `/user/grants/${grant.id}`)).json.last_used_at !== null,
  );
  // Nobody else's.
  expect((await ada.browser.send("DELETE", `/user/grants/${grant.id}`)).status).toBe(404);
  expect((await bob.browser.send("DELETE", `/user/grants/${grant.id}`)).status).toBe(204);
  expect((await userOf(first.json.access_token)).status).toBe(401);
  await eventually(async () => (await userOf(first.json.access_token, other)).status === 401);
  const refresh = { grant_type: "refresh_token", refresh_token: first.json.refresh_token };
  expect((await askToken(server, app, refresh)).json.error).toBe("invalid_grant");
  expect((await exchange(server, app, waiting)).json.error).toBe("invalid_grant");
  expect((await bob.browser.send("GET", "/user/grants")).json).toEqual([]);
  expect((await bob.browser.send("DELETE", `/user/grants/${grant.id}`)).status).toBe(404);
});

test("a deleted app's tokens end at once", async () => {
  const app = await registerApp(server, maker);
  const given = await exchange(server, app, await codeFor(server, ada, app));
  expect((await userOf(given.json.access_token)).status).toBe(200);
  expect((await server.api("DELETE", `/user/oauth-apps/${app.client_id}`, { token: maker })).status).toBe(
    204,
  );
  expect((await userOf(given.json.access_token)).status).toBe(401);
});

test("a suspended user's tokens end, and do not come back with the user", async () => {
  const admin = (await server.person("chief", { isAdmin: true })).token;
  const sue = await signedIn(server, "sue");
  const app = await registerApp(server, maker);
  const given = await exchange(server, app, await codeFor(server, sue, app));
  const waiting = await codeFor(server, sue, app);
  const suspension = (method: string) => server.api(method, "/admin/users/sue/suspension", { token: admin });
  expect((await suspension("PUT")).status).toBe(204);
  const refresh = { grant_type: "refresh_token", refresh_token: given.json.refresh_token };
  const stillOut = async () => {
    expect((await userOf(given.json.access_token)).status).toBe(401);
    expect((await askToken(server, app, refresh)).json.error).toBe("invalid_grant");
    expect((await exchange(server, app, waiting)).json.error).toBe("invalid_grant");
  };
  await stillOut();
  expect((await suspension("DELETE")).status).toBe(204);
  await stillOut();
});
