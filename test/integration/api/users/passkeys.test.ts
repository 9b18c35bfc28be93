import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { openBrowser, signUp, type Browser } from "../../../support/browser.ts";
import { softwarePasskey, type Ceremony, type SoftwarePasskey } from "../../../support/software-passkey.ts";

const password = "a long enough password";
let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

async function signedIn(username: string): Promise<Browser> {
  await signUp(server, username, password);
  const browser = openBrowser(server);
  await browser.signIn(username, password);
  return browser;
}

const here = (challenge: string): Ceremony => ({ challenge, origin: server.webUrl, rpId: "localhost" });

async function prepare(browser: Browser): Promise<{ challenge: string; user: { id: string } }> {
  const answer = await browser.send("POST", "/user/passkeys/challenges", { password });
  expect(answer.status).toBe(200);
  return answer.json;
}

async function register(browser: Browser, passkey: SoftwarePasskey, name = "phone") {
  const { challenge, user } = await prepare(browser);
  const credential = passkey.create(here(challenge), user.id);
  return browser.send("POST", "/user/passkeys", { name, credential });
}

async function challengeToSignIn(): Promise<string> {
  const answer = await server.api("POST", "/user/sessions/passkey-challenges");
  expect(answer.json).toMatchObject({ rpId: "localhost", userVerification: "required" });
  return answer.json.challenge;
}

const signIn = (credential: object) =>
  openBrowser(server).send("POST", "/user/sessions/passkeys", { credential });

test("a registered passkey signs in without name, password or code", async () => {
  const browser = await signedIn("ada");
  const passkey = softwarePasskey();
  const made = await register(browser, passkey);
  expect(made).toMatchObject({ status: 201, json: { name: "phone", synced: false, last_used_at: null } });
  expect(made.headers.location).toBe(made.json.url);
  const answer = await signIn(passkey.get(here(await challengeToSignIn())));
  expect(answer).toMatchObject({ status: 201, json: { method: "passkey", current: true } });
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  expect((await server.api("GET", "/user", { headers: { Cookie: cookie } })).json.username).toBe("ada");
  expect((await browser.send("GET", "/user/passkeys")).json[0].last_used_at).not.toBeNull();
  const recorded = await server.container.platform.db.query(
    "select action, details->>'method' as method from audit_log where target_name in ('ada', 'phone') order by seq",
  );
  expect(recorded).toEqual([
    { action: "user.create", method: null },
    { action: "auth.login", method: "password" },
    { action: "user.passkey_add", method: null },
    { action: "auth.login", method: "passkey" },
  ]);
});

test("each answer counts once, and only for the challenge it was made for", async () => {
  const browser = await signedIn("bob");
  const passkey = softwarePasskey();
  await register(browser, passkey);
  const credential = passkey.get(here(await challengeToSignIn()));
  const used = await Promise.all([signIn(credential), signIn(credential), signIn(credential)]);
  expect(used.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, 401, 401]);
  const invented = Buffer.alloc(32, 1).toString("base64url");
  expect((await signIn(passkey.get(here(invented)))).status).toBe(401);
  const forRegistration = (await prepare(browser)).challenge;
  expect((await signIn(passkey.get(here(forRegistration)))).status).toBe(401);
  await server.container.platform.db.query("update passkey_challenges set expires_at = now()");
  const late = await challengeToSignIn();
  await server.container.platform.db.query("update passkey_challenges set expires_at = now()");
  expect((await signIn(passkey.get(here(late)))).status).toBe(401);
});

test.each<[string, (ceremony: Ceremony) => Ceremony, object]>([
  ["another origin", (c) => ({ ...c, origin: "https://evil.example" }), {}],
  ["another party", (c) => ({ ...c, rpId: "evil.example" }), {}],
  ["a user that was not checked", (c) => ({ ...c, userVerified: false }), {}],
  ["another user's handle", (c) => c, { userHandle: Buffer.from("usr_x").toString("base64url") }],
  ["another key's signature", (c) => c, { signWith: softwarePasskey() }],
])("refuses an answer with %s", async (name, change, more) => {
  const browser = await signedIn(`user-${name.replaceAll(/\W/g, "-")}`);
  const passkey = softwarePasskey();
  await register(browser, passkey);
  const bad = passkey.get(change(here(await challengeToSignIn())), more);
  expect(await signIn(bad)).toMatchObject({ status: 401, json: { error: "unauthorized" } });
  expect((await signIn(passkey.get(here(await challengeToSignIn())))).status).toBe(201);
});

test("a count that does not rise shows a copy, which is refused and recorded", async () => {
  const browser = await signedIn("cy");
  const passkey = softwarePasskey();
  await register(browser, passkey);
  passkey.countFrom(10);
  expect((await signIn(passkey.get(here(await challengeToSignIn())))).status).toBe(201);
  passkey.countFrom(5);
  expect((await signIn(passkey.get(here(await challengeToSignIn())))).status).toBe(401);
  const failures = await server.container.platform.db.query(
    "select 1 from audit_log where action = 'auth.login_failure' and details->>'method' = 'passkey'",
  );
  expect(failures.length).toBeGreaterThan(0);
});

test("registering needs the password, every scope and a fresh challenge of one's own", async () => {
  const browser = await signedIn("dan");
  const wrong = await browser.send("POST", "/user/passkeys/challenges", { password: "wrong" });
  expect(wrong.json.errors[0]).toMatchObject({ field: "password", code: "wrong" });
  const narrow = await server.person("narrow", { scopes: ["user:read", "user:write"] });
  const refused = await server.api("POST", "/user/passkeys/challenges", {
    token: narrow.token,
    body: { password },
  });
  expect(refused).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
  const { challenge, user } = await prepare(browser);
  const credential = softwarePasskey().create(here(challenge), user.id);
  const stranger = await signedIn("eve");
  const stolen = await stranger.send("POST", "/user/passkeys", { name: "x", credential });
  expect(stolen.json.errors[0]).toMatchObject({ field: "credential", code: "invalid" });
  expect((await browser.send("POST", "/user/passkeys", { name: "mine", credential })).status).toBe(201);
  expect((await browser.send("POST", "/user/passkeys", { name: "again", credential })).status).toBe(422);
});

test("a passkey is registered once on the instance; its owner removes it, nobody else", async () => {
  const browser = await signedIn("fay");
  const stranger = await signedIn("gil");
  const passkey = softwarePasskey();
  const made = await register(browser, passkey);
  expect((await register(stranger, passkey)).status).toBe(409);
  const path = `/user/passkeys/${made.json.id}`;
  expect((await stranger.send("GET", path)).status).toBe(404);
  expect((await stranger.send("DELETE", path)).status).toBe(404);
  expect((await browser.send("DELETE", path)).status).toBe(204);
  expect((await signIn(passkey.get(here(await challengeToSignIn())))).status).toBe(401);
});

test("a suspended user's passkey is refused", async () => {
  const browser = await signedIn("hal");
  const admin = await server.person("chief", { isAdmin: true });
  const passkey = softwarePasskey();
  await register(browser, passkey);
  await server.api("PUT", "/admin/users/hal/suspension", { token: admin.token });
  expect((await signIn(passkey.get(here(await challengeToSignIn())))).status).toBe(403);
});

test.each([
  [{}, "credential.id"],
  [{ id: "x", rawId: "x", type: "public-key", response: {} }, "credential.response.clientDataJSON"],
  [{ id: "=", rawId: "x", type: "public-key", response: {} }, "credential.id"],
])("says what is missing in an answer: %j", async (credential, field) => {
  const answer = await signIn(credential);
  expect(answer.status).toBe(422);
  expect(answer.json.errors.map((e: { field: string }) => e.field)).toContain(field);
});

test("garbage in the right form is refused without an error of ours", async () => {
  const text = Buffer.from("null").toString("base64url");
  const response = { clientDataJSON: text, authenticatorData: text, signature: text };
  const answer = await signIn({ id: "abc", rawId: "abc", type: "public-key", response });
  expect(answer.status).toBe(401);
});
