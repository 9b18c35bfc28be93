/** `forgeline app` and `forgeline grant`: registering programs, and looking after what they were allowed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { askToken, callback, codeFor, signedIn, type TestApp } from "../../support/oauth.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;

beforeAll(async () => {
  people = await peopleAtTerminals({ env: { FORGELINE_SIGN_UP: "open" } });
  ada = await people.server.person("ada");
});
afterAll(() => people.stop());

const wanted = ["--redirect-uri", callback, "--scopes", "repo:read, user:read"];

it("registers an app, shows its secret once, gives another one, and deletes it", async () => {
  const created = await people.told(ada, "app", "create", "Deploy Bot", ...wanted);
  const id = /^client id\t(app_\w+)$/m.exec(created)?.[1] ?? "";
  const secret = /^client secret\t(\S+)$/m.exec(created)?.[1] ?? "";
  expect(secret).not.toBe("");
  expect(await people.told(ada, "app", "list")).toBe(`${id}\tDeploy Bot\trepo:read,user:read\t${callback}\n`);
  const shown = await people.told(ada, "app", "view", id);
  expect(shown).toBe(
    `name\tDeploy Bot\nowner\tada\nclient id\t${id}\nscopes\trepo:read,user:read\nredirect\t${callback}\n`,
  );
  const changes = ["--name", "Deployer", "--homepage", "https://bot.example/"];
  expect(await people.told(ada, "app", "edit", id, ...changes)).toBe(`changed ${id}\n`);
  expect(await people.told(ada, "app", "view", id)).toContain("\nhomepage\thttps://bot.example/\n");
  const rotated = await people.json(ada, "app", "rotate", id);
  expect(rotated.client_secret).not.toBe(secret);
  expect(await people.told(ada, "app", "delete", id)).toBe(`deleted ${id}\n`);
  expect(await people.json(ada, "app", "list")).toEqual([]);
});

it("registers an app without a secret, with several addresses, for an organization", async () => {
  await people.told(ada, "org", "create", "acme");
  const two = ["--redirect-uri", "http://127.0.0.1:8000/a", "com.example.app:/b"];
  const args = ["app", "create", "Phone", "--org", "acme", "--no-secret", "--scopes", "repo:read", ...two];
  const app = (await people.json(ada, ...args)) as TestApp & { id: string };
  expect(app).toMatchObject({ owner: "acme", confidential: false, client_secret: null });
  expect(app.redirect_uris).toEqual(["http://127.0.0.1:8000/a", "com.example.app:/b"]);
  expect(await people.told(ada, "app", "view", app.id, "--org", "acme")).toContain("owner\tacme\n");
  expect(await people.json(ada, "app", "list")).toEqual([]);
  expect(await people.json(ada, "app", "list", "--org", "acme")).toHaveLength(1);
  expect((await people.as(ada, "app", "rotate", app.id, "--org", "acme")).code).toBe(1);
  expect(await people.told(ada, "app", "delete", app.id, "--org", "acme")).toBe(`deleted ${app.id}\n`);
});

it("refuses what the server refuses, naming the field", async () => {
  const address = ["--redirect-uri", "http://elsewhere.example/", "--scopes", "repo:read"];
  const unsafe = await people.as(ada, "app", "create", "x", ...address);
  expect([unsafe.code, unsafe.stderr]).toEqual([1, expect.stringContaining("--redirect-uri")]);
  const unknown = await people.as(ada, "app", "create", "x", "--redirect-uri", callback, "--scopes", "all");
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("scopes")]);
});

it("lists what a person has allowed, and takes it back, which ends the app's token", async () => {
  const { server } = people;
  const person = await signedIn(server, "grace");
  const own = { name: "terminal", scopes: ["user:read", "user:write"] };
  const { token: typed } = (await person.browser.send("POST", "/user/tokens", own)).json;
  const grace = { id: "", username: "grace", token: typed as string };
  const app = (await people.json(ada, "app", "create", "Reader", ...wanted)) as TestApp;
  const code = await codeFor(server, person, app);
  const { json } = await askToken(server, app, { code, redirect_uri: callback });
  const token = (json as { access_token: string }).access_token;
  expect((await server.api("GET", "/user", { token })).status).toBe(200);

  const listed = await people.told(grace, "grant", "list");
  expect(listed).toMatch(/^grt_\w+\tReader\tada\trepo:read,user:read\t\S+\n$/);
  const id = listed.split("\t")[0] ?? "";
  expect(await people.told(grace, "grant", "revoke", id)).toBe(`revoked ${id}\n`);
  expect((await server.api("GET", "/user", { token })).status).toBe(401);
  expect(await people.json(grace, "grant", "list")).toEqual([]);
});
