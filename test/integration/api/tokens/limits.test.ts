/** Tokens limited to repositories, addresses and time, and the rule that a token makes only subsets of itself. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  // Addresses come from the test by way of a proxy that is trusted.
  server = await startApiServer({ env: { FORGELINE_TRUSTED_PROXIES: "127.0.0.1,::1" } });
  ada = await server.person("ada");
  bob = await server.person("bob");
  for (const name of ["one", "two"])
    await server.api("POST", "/repos", { token: ada.token, body: { name, visibility: "private" } });
  await server.api("POST", "/repos", { token: bob.token, body: { name: "hidden", visibility: "private" } });
  for (const name of ["open", "wide"])
    await server.api("POST", "/repos", { token: bob.token, body: { name, visibility: "public" } });
});
afterAll(() => server.stop());

const create = (token: string, body: Record<string, unknown>) =>
  server.api("POST", "/user/tokens", { token, body: { name: "x", scopes: ["repo:read"], ...body } });
const from = (address: string, token: string, path = "/user") =>
  server.api("GET", path, { token, headers: { "X-Forwarded-For": address } });

test("a token limited to repositories reaches these only, whatever they are called by now", async () => {
  const made = await create(ada.token, { repositories: ["Ada/ONE"] });
  expect([made.status, made.json.repositories]).toEqual([201, ["ada/one"]]);
  const { token, id } = made.json;
  expect((await server.api("GET", "/repos/ada/one", { token })).status).toBe(200);
  const outside = await server.api("GET", "/repos/ada/two", { token });
  const absent = await server.api("GET", "/repos/ada/none", { token });
  expect([outside.status, outside.text]).toEqual([404, absent.text]);
  expect((await server.api("GET", "/user/tokens", { token: ada.token })).json[0]).toMatchObject({
    id,
    repositories: ["ada/one"],
    address_ranges: null,
  });
  await server.container.platform.db.query("update repositories set name = 'uno' where name = 'one'");
  const shown = await server.api("GET", `/user/tokens/${id}`, { token: ada.token });
  expect(shown.json.repositories).toEqual(["ada/uno"]);
  expect(shown.text).not.toContain("svc_pat_");
  await server.container.platform.db.query("update repositories set name = 'one' where name = 'uno'");
});

test("a listing names hidden repositories to no token that could not read them", async () => {
  const made = await create(ada.token, { repositories: ["ada/two", "bob/open"] });
  const token = await server.tokenFor(ada, ["user:read"]);
  const shown = await server.api("GET", `/user/tokens/${made.json.id}`, { token });
  expect(shown.json.repositories).toEqual(["bob/open"]);
});

test("what one does not see cannot be named, and is not told from what is absent", async () => {
  const hidden = await create(ada.token, { repositories: ["ada/one", "bob/hidden"] });
  const absent = await create(ada.token, { repositories: ["ada/one", "bob/nothing"] });
  expect([hidden.status, hidden.text]).toEqual([422, absent.text]);
  expect(hidden.json.errors).toMatchObject([{ field: "repositories.1", code: "not_found" }]);
  for (const name of ["one", "a/b/c", "/", "", "ada/one\0"])
    expect((await create(ada.token, { repositories: [name] })).status).toBe(422);
  const blind = await server.tokenFor(ada, ["user:write", "package:read"]);
  const refused = await create(blind, { scopes: ["package:read"], repositories: ["ada/one"] });
  expect([refused.status, refused.json.required_scopes]).toEqual([403, ["repo:read"]]);
});

test("a token limited to addresses is refused elsewhere, and lets itself be used there", async () => {
  const made = await create(ada.token, {
    scopes: ["user:read"],
    address_ranges: ["192.0.2.0/24", "fd00::/8"],
  });
  expect(made.json.address_ranges).toEqual(["192.0.2.0/24", "fd00::/8"]);
  for (const address of ["192.0.2.9", "fd12::1"])
    expect((await from(address, made.json.token)).status).toBe(200);
  for (const address of ["192.0.3.9", "fe80::1"])
    expect((await from(address, made.json.token)).status).toBe(403);
});

test.each([
  "0.0.0.0/0",
  "10.0.0.0/7",
  "::/0",
  "example.org",
  "10.0.0.1/33",
  "",
  "10.0.0.1,10.0.0.2",
  "::ffff:10.0.0.1",
])("refuses %s as an address range", async (range) => {
  const answer = await create(ada.token, { address_ranges: ["192.0.2.1", range] });
  expect([answer.status, answer.json.errors[0].field]).toEqual([422, "address_ranges.1"]);
});

test("a token makes only subsets of itself: repositories, addresses, and the time it lives", async () => {
  const scopes = ["user:write", "repo:read"];
  const parent = await create(ada.token, {
    scopes,
    repositories: ["ada/one", "bob/open"],
    address_ranges: ["10.0.0.0/8", "127.0.0.1"],
    expires_in_days: 10,
  });
  const { token } = parent.json;
  const asChild = (body: Record<string, unknown>) =>
    server.api("POST", "/user/tokens", {
      token,
      headers: { "X-Forwarded-For": "10.1.1.1" },
      body: { name: "child", scopes: ["repo:read"], ...body },
    });
  const inside = { repositories: ["bob/open"], address_ranges: ["10.2.0.0/16"], expires_in_days: 9 };
  const child = await asChild(inside);
  expect([child.status, child.json.repositories, child.json.address_ranges]).toEqual([
    201,
    ["bob/open"],
    ["10.2.0.0/16"],
  ]);
  const beyond: [Record<string, unknown>, string][] = [
    [{ repositories: null }, "repositories"],
    [{ repositories: ["ada/one", "ada/two"] }, "repositories.1"],
    [{ repositories: ["bob/open", "bob/wide"] }, "repositories"],
    [{ address_ranges: null }, "address_ranges"],
    [{ address_ranges: ["10.2.0.0/16", "11.0.0.0/16"] }, "address_ranges"],
    [{ expires_in_days: null }, "expires_in_days"],
    [{ expires_in_days: 10 }, "expires_in_days"],
  ];
  for (const [change, field] of beyond) {
    const answer = await asChild({ ...inside, ...change });
    expect([answer.status, answer.json.errors.map((e: { field: string }) => e.field)]).toEqual([
      422,
      [field],
    ]);
  }
  const all = await asChild({});
  expect(all.json.errors.map((e: { field: string }) => e.field)).toEqual([
    "expires_in_days",
    "repositories",
    "address_ranges",
  ]);
  // It shows nothing of the others, and ends none.
  for (const [method, path] of [
    ["GET", "/user/tokens"],
    ["DELETE", `/user/tokens/${parent.json.id}`],
  ] as const) {
    const answer = await server.api(method, path, { token, headers: { "X-Forwarded-For": "10.1.1.1" } });
    expect(answer.status).toBe(403);
  }
});

test("lives for a day at least and a year at most", async () => {
  for (const days of [0, 366, 1.5, "7"])
    expect((await create(ada.token, { expires_in_days: days })).json.errors[0].field).toBe("expires_in_days");
  const made = await create(ada.token, { expires_in_days: 365 });
  expect(Date.parse(made.json.expires_at) - Date.parse(made.json.created_at)).toBe(365 * 24 * 3600 * 1000);
});
