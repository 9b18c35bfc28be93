/**
 * Git asks what every other entry point asks: 16 scopes, kinds of credentials, their clothes and their limits, with the
 * same verdicts (rows 2, 3, 4 and 11). REST is in `access-matrix/`, the log socket in `test/integration/api/logs/watch-socket.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { scopes, type Scope } from "@forgeline/schemas/core/scopes.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { codeFor, exchange, registerApp, signedIn, type SignedIn } from "../support/oauth.ts";
import { ensure } from "./access-matrix/places.ts";

let server: ApiServer;
let ada: TestPerson;
let browser: SignedIn;
beforeAll(async () => {
  server = await startApiServer();
  browser = await signedIn(server, "ada");
  const { id } = (await server.api("GET", "/users/ada")).json;
  ada = { id, username: "ada", token: "" };
  ada.token = await server.tokenFor(ada, scopes);
  await send("POST", "/orgs", { name: "acme" });
  for (const owner of ["ada", "acme"])
    for (const name of ["app", "other"])
      await send("POST", "/repos", { name, readme: true, ...(owner === "acme" ? { owner } : {}) });
});
afterAll(() => server?.stop());

const send = async (method: string, path: string, body: object) =>
  ensure(await server.api(method, path, { token: ada.token, body })).json;

const basic = (token: string, user = "any") => ({
  Authorization: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`,
});
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

type Service = "upload-pack" | "receive-pack";

/** By the beginning and by an exchange without it, which must agree; the answer's status. */
async function verdict(
  headers: Record<string, string>,
  service: Service,
  repository = "ada/app",
  query = "",
) {
  const first = await server.api("GET", `//${repository}.git/info/refs?service=git-${service}${query}`, {
    headers,
  });
  const later = await server.api(
    "POST",
    `//${repository}.git/git-${service}${query && `?${query.slice(1)}`}`,
    {
      headers: { ...headers, "Content-Type": `application/x-git-${service}-request` },
      body: "0000",
    },
  );
  expect([service, repository, later.status]).toEqual([service, repository, first.status]);
  return first.status;
}

const fetches = new Set<Scope>(["repo:read", "repo:write", "repo:admin"]);
const pushes = new Set<Scope>(["repo:write", "repo:admin"]);

test("of the sixteen scopes those of repositories open it, and no other", async () => {
  expect(scopes).toHaveLength(16);
  const allowed = { fetch: new Set<Scope>(), push: new Set<Scope>() };
  for (const scope of scopes) {
    const headers = basic(await server.tokenFor(ada, [scope]));
    if ((await verdict(headers, "upload-pack")) === 200) allowed.fetch.add(scope);
    if ((await verdict(headers, "receive-pack")) === 200) allowed.push.add(scope);
  }
  expect(allowed).toEqual({ fetch: fetches, push: pushes });
});

test("one token has one verdict in all its clothes, and in the address none", async () => {
  const read = await server.tokenFor(ada, ["repo:read"]);
  const stranger = (await server.person("stranger")).token;
  for (const [token, fetch, push] of [
    [ada.token, 200, 200],
    [read, 200, 403],
    [stranger, 404, 404],
    ["svc_pat_nothing", 401, 401],
  ] as const) {
    for (const headers of [basic(token), basic(token, "ada"), basic(token, ""), bearer(token)])
      expect([await verdict(headers, "upload-pack"), await verdict(headers, "receive-pack")]).toEqual([
        fetch,
        push,
      ]);
    for (const name of ["access_token", "token", "private_token"])
      expect(await verdict({}, "upload-pack", "ada/app", `&${name}=${token}`)).toBe(401);
  }
});

test("a cookie alone pushes nothing, from whatever page", async () => {
  for (const origin of [undefined, server.webUrl, "https://evil.example"]) {
    const headers = { Cookie: browser.browser.cookie(), ...(origin ? { Origin: origin } : {}) };
    const answer = await server.api("POST", "//ada/app.git/git-receive-pack", {
      headers: { ...headers, "Content-Type": "application/x-git-receive-pack-request" },
      body: "0000",
    });
    expect([origin, answer.status]).toEqual([origin, 403]);
  }
});

test("limits of tokens hold: other repositories are absent, other addresses are refused", async () => {
  const limited = await send("POST", "/user/tokens", { name: "x", scopes, repositories: ["ada/app"] });
  const elsewhere = await send("POST", "/user/tokens", {
    name: "x",
    scopes,
    address_ranges: ["192.0.2.0/24"],
  });
  for (const service of ["upload-pack", "receive-pack"] as const) {
    expect(await verdict(basic(limited.token), service)).toBe(200);
    for (const repository of ["ada/other", "acme/app", "ada/none"])
      expect(await verdict(basic(limited.token), service, repository)).toBe(404);
    expect(await verdict(basic(elsewhere.token), service)).toBe(403);
  }
});

test("an app acts within what was agreed to; its other secrets open nothing", async () => {
  const app = await registerApp(server, ada.token, { scopes: [...scopes] });
  const given = (await exchange(server, app, await codeFor(server, browser, app, { scope: "repo:read" })))
    .json;
  expect([
    await verdict(basic(given.access_token), "upload-pack"),
    await verdict(basic(given.access_token), "receive-pack"),
  ]).toEqual([200, 403]);
  for (const other of [given.refresh_token, app.client_secret ?? "", await codeFor(server, browser, app)])
    expect(await verdict(basic(other), "upload-pack")).toBe(401);
});

test("a bot reaches what its teams reach, and nothing else of its owners", async () => {
  await send("POST", "/orgs/acme/bots", { name: "robo", scopes });
  const { token } = await send("POST", "/orgs/acme/bots/robo/tokens", { name: "t", scopes });
  await send("POST", "/orgs/acme/teams", { name: "core" });
  await send("PUT", `/orgs/acme/teams/core/members/${encodeURIComponent("acme/robo")}`, {});
  await send("PUT", "/orgs/acme/teams/core/repos/app", { permission: "read" });
  const seen: Record<string, number[]> = {};
  for (const repository of ["acme/app", "acme/other", "ada/app"])
    seen[repository] = [
      await verdict(basic(token), "upload-pack", repository),
      await verdict(basic(token), "receive-pack", repository),
    ];
  expect(seen).toEqual({ "acme/app": [200, 403], "acme/other": [404, 404], "ada/app": [404, 404] });
});
