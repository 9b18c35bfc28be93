import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { openBrowser } from "../../../support/browser.ts";

const password = "a long enough password";
let server: ApiServer;
let admin: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  admin = await server.person("root-admin", { isAdmin: true });
});
afterAll(() => server.stop());

const body = (username: string, more = {}) => ({
  username,
  password,
  email: `${username}@example.com`,
  ...more,
});
const signUp = (given: unknown, headers = {}) => server.api("POST", "/users", { body: given, headers });

test("makes an account that can sign in, without admitting an address that was never proved", async () => {
  const made = await signUp(body("ada", { name: "Ada L." }));
  expect(made).toMatchObject({
    status: 201,
    json: { username: "ada", name: "Ada L.", type: "user", email: null },
  });
  expect(made.headers.location).toBe(made.json.url);
  expect((await server.api("GET", "/users/ADA")).json).toEqual(made.json);
  const browser = openBrowser(server);
  expect((await browser.signIn("Ada", password)).status).toBe(201);
  expect((await browser.send("GET", "/user")).json).toMatchObject({ username: "ada", email: "" });
  const rows = await server.container.platform.db.query("select u::text as row from users u");
  expect(JSON.stringify(rows)).not.toContain(password);
});

test("a name is taken in any spelling, by users and by owners of another kind", async () => {
  await signUp(body("taken"));
  for (const username of ["taken", "TAKEN"]) {
    const answer = await signUp(body(username, { email: "other@example.com" }));
    expect([username, answer.status, answer.json.error]).toEqual([username, 409, "conflict"]);
  }
});

test("an address that somebody has already makes no difference to the answer", async () => {
  const first = await signUp(body("first-of-address", { email: "same@example.com" }));
  const second = await signUp(body("second-of-address", { email: "Same@example.com" }));
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(Object.keys(first.json)).toEqual(Object.keys(second.json));
});

test.each([
  [{ username: "api" }, "username", "invalid"],
  [{ username: "x.git" }, "username", "invalid"],
  [{ username: "-x" }, "username", "invalid"],
  [{ username: "bob\u202e" }, "username", "invalid"],
  // Pages stand under it.
  [{ username: "runners" }, "username", "invalid"],
  [{ username: 5 }, "username", "wrong_type"],
  [{ password: "short" }, "password", "too_short"],
  [{ password: "x".repeat(1001) }, "password", "too_long"],
  [{ password: "aaaaaaaaaaaaaaa" }, "password", "too_simple"],
  [{ username: "long-user-name", password: "Long-User-Name1" }, "password", "too_simple"],
  [{ password: "Password12345" }, "password", "too_simple"],
  [{ password: "with a \0 in it, alas" }, "password", "invalid"],
  [{ email: "not an address" }, "email", "invalid"],
  [{ email: `${"x".repeat(250)}@example.com` }, "email", "too_long"],
  [{ name: "evil \u202e name" }, "name", "invalid"],
  [{ name: "half \ud800" }, "name", "invalid"],
  [{ is_admin: true }, "is_admin", "unknown_field"],
])("refuses %j", async (given, field, code) => {
  const answer = await signUp({ ...body("somebody"), ...given });
  expect(answer.status).toBe(422);
  expect(answer.json.errors).toContainEqual(expect.objectContaining({ field, code }));
  expect(answer.text).not.toContain("long enough");
  expect((await server.api("GET", "/users/somebody")).status).toBe(404);
});

test("a page of somebody else cannot make accounts in a visitor's browser", async () => {
  const answer = await signUp(body("visitor"), { Origin: "https://evil.example" });
  expect(answer.status).toBe(403);
  const form = await signUp("username=visitor", { "Content-Type": "text/plain" });
  expect(form.status).toBe(415);
  expect((await server.api("GET", "/users/visitor")).status).toBe(404);
});

test("administrators close and open it; others cannot, and the change is recorded", async () => {
  const settings = (method: string, token: string, given?: unknown) =>
    server.api(method, "/admin/settings", given === undefined ? { token } : { token, body: given });
  expect((await settings("GET", admin.token)).json).toEqual({ sign_up: null });
  const eve = await server.person("eve");
  expect((await settings("PATCH", eve.token, { sign_up: "open" })).status).toBe(403);
  expect((await settings("PATCH", admin.token, { sign_up: "closed" })).json).toEqual({ sign_up: "closed" });
  expect(await signUp(body("late"))).toMatchObject({ status: 403, json: { error: "forbidden" } });
  expect((await settings("PATCH", admin.token, { sign_up: null })).json).toEqual({ sign_up: null });
  expect((await signUp(body("late"))).status).toBe(201);
  const recorded = await server.container.platform.db.query(
    "select details from audit_log where action = 'instance.settings_change' order by seq",
  );
  expect(recorded.map((row) => row["details"])).toEqual([{ sign_up: "closed" }, { sign_up: null }]);
});

test.each([
  ["another machine", { FORGELINE_TRUSTED_PROXIES: "127.0.0.1" }, { "X-Forwarded-For": "203.0.113.9" }],
  ["the environment", { FORGELINE_SIGN_UP: "closed" }, {}],
])("is closed for %s", async (_name, env, headers) => {
  const other = await startApiServer({ beside: server, env });
  try {
    const answer = await other.api("POST", `//api/v1/users`, { body: body("stranger"), headers });
    expect(answer).toMatchObject({ status: 403, json: { error: "forbidden" } });
    if (!("FORGELINE_SIGN_UP" in env)) return;
    const change = await other.api("PATCH", "/admin/settings", {
      token: admin.token,
      body: { sign_up: "open" },
    });
    expect(change.status).toBe(409);
  } finally {
    await other.stop();
  }
});

test("is closed under a public name even for the machine itself, where a proxy may stand", async () => {
  const other = await startApiServer({
    beside: server,
    env: { FORGELINE_PUBLIC_URL: "https://forge.example" },
  });
  const { instanceSettings } = other.container.operation;
  await expect(instanceSettings.requireOpenSignUp("127.0.0.1")).rejects.toMatchObject({ code: "forbidden" });
  await other.stop();
});

test("changes the profile, and shows what it holds to everyone", async () => {
  const lea = await server.person("lea");
  const change = (given: unknown) => server.api("PATCH", "/user", { token: lea.token, body: given });
  expect(await change({ name: " Léa " })).toMatchObject({ status: 200, json: { name: "Léa" } });
  expect((await server.api("GET", "/users/lea")).json).toMatchObject({ name: "Léa", email: null });
  expect((await change({ name: "a\u2066b" })).status).toBe(422);
  expect((await change({ email: "x@example.com" })).json.errors[0]).toMatchObject({ code: "unknown_field" });
  expect((await server.api("GET", "/users/nobody%00")).status).toBe(404);
});
