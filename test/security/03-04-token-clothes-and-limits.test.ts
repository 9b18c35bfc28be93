/**
 * One token, whatever form it comes in, has one verdict (row 3); a token limited to a repository or to addresses does
 * nothing outside of that, by any operation there is (row 4).
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let limited: string;
let elsewhere: string;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada", { isAdmin: true });
  for (const name of ["inside", "outside"])
    await server.api("POST", "/repos", { token: ada.token, body: { name, private: true, readme: true } });
  await server.api("POST", "/orgs", { token: ada.token, body: { name: "acme" } });
  await server.api("POST", "/repos", {
    token: ada.token,
    body: { name: "outside-too", owner: "acme", private: true },
  });
  const { scopes } = (await server.api("GET", "/user/tokens", { token: ada.token })).json[0];
  const create = (body: object) =>
    server.api("POST", "/user/tokens", { token: ada.token, body: { name: "x", scopes, ...body } });
  limited = (await create({ repositories: ["ada/inside"] })).json.token;
  elsewhere = (await create({ address_ranges: ["192.0.2.0/24"] })).json.token;
});
afterAll(() => server.stop());

const basic = (token: string) => `Basic ${Buffer.from(`any:${token}`).toString("base64")}`;

test("Bearer, Basic and cookie give the same verdict, and an address none but 401", async () => {
  const read = await server.tokenFor(ada, ["repo:read"]);
  const cookie = (token: string) => ({ Cookie: `__Host-forgeline_session=${token}` });
  for (const [token, path, status] of [
    [read, "/repos/ada/outside", 200],
    [read, "/user", 403],
    [limited, "/repos/ada/inside", 200],
    [limited, "/repos/ada/outside", 404],
    [elsewhere, "/repos/ada/inside", 403],
  ] as const) {
    const clothes = [{ Authorization: `Bearer ${token}` }, { Authorization: basic(token) }, cookie(token)];
    const verdicts = await Promise.all(clothes.map((headers) => server.api("GET", path, { headers })));
    expect([path, ...verdicts.map((answer) => answer.status)]).toEqual([path, status, status, status]);
    for (const name of ["access_token", "token", "private_token", "x"]) {
      const inAddress = await server.api("GET", `${path}?${name}=${token}`);
      expect([name, inAddress.status]).toEqual([name, 401]);
    }
  }
});

/** Of a route with these names in its path; ids name nothing. */
function addressOf(path: string, repository: string): string {
  return path
    .replace(":owner", "ada")
    .replace(":repo", repository)
    .replace(":org", "acme")
    .replaceAll(/[:*]\w+/g, "1");
}

test("outside its repository a limited token does nothing, by any operation", async () => {
  const allowed: string[] = [];
  const leaking: string[] = [];
  for (const { id, method, path, access } of server.http.binder.contracts()) {
    if (access === "public") continue;
    const answer = await server.api(method.toUpperCase(), addressOf(path, "outside"), {
      token: limited,
      ...(method === "get" ? {} : { body: {} }),
    });
    if (![403, 404].includes(answer.status)) allowed.push(`${id} ${answer.status}`);
    if (answer.text.includes("outside")) leaking.push(id);
  }
  expect(leaking).toEqual([]);
  // Who one is; what everyone sees of an organization; lists without what lies outside; and making a narrower token, or a file of
  // which nothing says where it belongs: neither was asked for properly here.
  expect(allowed.sort()).toEqual([
    "createAttachment 400",
    "createToken 422",
    "getOrganization 200",
    "getUser 200",
    "listOrganizationRepositories 200",
    // Public keys of the instance.
    "listSigningKeys 200",
    "listUserRepositories 200",
  ]);
  for (const [path, names] of [
    ["/user/repos", ["inside"]],
    ["/orgs/acme/repos", []],
  ] as const) {
    const shown = (await server.api("GET", path, { token: limited })).json as { name: string }[];
    expect(shown.map(({ name }) => name)).toEqual(names);
  }
  expect((await server.api("GET", "/orgs/acme/repos", { token: ada.token })).json).toHaveLength(1);
  expect((await server.api("GET", "/repos/ada/outside", { token: ada.token })).status).toBe(200);
});

test("from elsewhere a token limited to addresses does nothing at all", async () => {
  for (const { id, method, path } of server.http.binder.contracts()) {
    if (method !== "get") continue;
    const answer = await server.api("GET", addressOf(path, "inside"), { token: elsewhere });
    expect([id, answer.status, answer.json.message]).toEqual([
      id,
      403,
      "The token may not be used from this address.",
    ]);
  }
});
