import { generateSync } from "otplib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { openBrowser, signUp, type Browser } from "../../../support/browser.ts";

const password = "a long enough password";
let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

/** Codes as an app shows them: of now, or of some periods later. */
const codeOf = (secret: string, periods = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * periods });

async function signedIn(username: string): Promise<Browser> {
  await signUp(server, username, password);
  const browser = openBrowser(server);
  await browser.signIn(username, password);
  return browser;
}

/** With a second factor whose code of now is used. */
async function protectedUser(username: string) {
  const browser = await signedIn(username);
  const { secret } = (await browser.send("POST", "/user/two-factor", { password })).json as {
    secret: string;
  };
  const enabled = await browser.send("PUT", "/user/two-factor", { otp: codeOf(secret) });
  expect(enabled.status).toBe(200);
  return { browser, secret, codes: enabled.json.recovery_codes as string[] };
}

const signIn = (username: string, more = {}) => openBrowser(server).signIn(username, password, more);

test("is prepared with the password, turned on with a first code, and asked for from then on", async () => {
  const browser = await signedIn("ada");
  const wrong = await browser.send("POST", "/user/two-factor", { password: "wrong" });
  expect(wrong.json.errors[0]).toMatchObject({ field: "password", code: "wrong" });
  const early = await browser.send("PUT", "/user/two-factor", { otp: "123456" });
  expect(early.status).toBe(409);
  const prepared = await browser.send("POST", "/user/two-factor", { password });
  expect(prepared).toMatchObject({ status: 201, headers: { "cache-control": "no-store" } });
  expect(prepared.json.uri).toContain(`secret=${prepared.json.secret}`);
  expect(prepared.json.uri).toMatch(/^otpauth:\/\/totp\/localhost:ada\?/);
  expect((await signIn("ada")).status).toBe(201);
  expect((await browser.send("GET", "/user/two-factor")).json.enabled).toBe(false);
  const off = codeOf(prepared.json.secret, 20);
  const refused = await browser.send("PUT", "/user/two-factor", { otp: off });
  expect(refused.json.errors[0]).toMatchObject({ field: "otp", code: "wrong" });
  const enabled = await browser.send("PUT", "/user/two-factor", { otp: codeOf(prepared.json.secret) });
  expect(enabled.json.recovery_codes).toHaveLength(10);
  expect(new Set(enabled.json.recovery_codes).size).toBe(10);
  expect((await browser.send("GET", "/user")).json.two_factor_enabled).toBe(true);
  expect((await browser.send("POST", "/user/two-factor", { password })).status).toBe(409);
  const without = await signIn("ada");
  expect(without).toMatchObject({ status: 401, json: { error: "unauthorized", two_factor_required: true } });
  expect(without.headers["set-cookie"]).toBeUndefined();
  expect((await signIn("ada", { otp: codeOf(prepared.json.secret, 1) })).status).toBe(201);
});

test("a code works once, however many use it at the same time", async () => {
  const { secret } = await protectedUser("bob");
  const otp = codeOf(secret, 1);
  const used = await Promise.all(Array.from({ length: 5 }, () => signIn("bob", { otp })));
  expect(used.filter((answer) => answer.status === 201)).toHaveLength(1);
  const { twoFactor } = server.container.accounts;
  const { db } = server.container.platform;
  const user = await db.one<{ id: string }>("select id from users where username = 'bob'");
  await db.query("update two_factor set last_period = 0 where user_id = $1", [user?.id]);
  const at = () => db.transaction((tx) => twoFactor.use(tx, user?.id ?? "", otp));
  const all = await Promise.all(Array.from({ length: 500 }, at));
  expect(all.filter((way) => way === "otp")).toHaveLength(1);
});

test("the code that turned it on, and older ones, are used up", async () => {
  const { secret } = await protectedUser("cy");
  expect((await signIn("cy", { otp: codeOf(secret, -1) })).status).toBe(401);
  expect((await signIn("cy", { otp: codeOf(secret, 1) })).status).toBe(201);
});

test("guessing codes is slowed, and asking without one does not start the count anew", async () => {
  const { secret } = await protectedUser("dan");
  const wrong = codeOf(secret, 50);
  for (let i = 0; i < 4; i++) {
    expect((await signIn("dan", { otp: wrong })).status).toBe(401);
    expect((await signIn("dan")).json.two_factor_required).toBe(true);
  }
  expect((await signIn("dan", { otp: wrong })).status).toBe(401);
  expect((await signIn("dan", { otp: wrong })).status).toBe(429);
});

test("a recovery code works once, however it is typed; new ones replace the old", async () => {
  const { browser, codes } = await protectedUser("eva");
  const [first = "", second = "", third = ""] = codes;
  expect((await signIn("eva", { otp: first.toUpperCase().replace("-", " ") })).status).toBe(201);
  expect((await signIn("eva", { otp: first })).status).toBe(401);
  expect((await browser.send("GET", "/user/two-factor")).json.recovery_codes_left).toBe(9);
  const both = await Promise.all([signIn("eva", { otp: second }), signIn("eva", { otp: second })]);
  expect(both.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, 401]);
  const renew = (given: string) =>
    browser.send("PUT", "/user/two-factor/recovery-codes", { password: given });
  expect((await renew("wrong")).json.errors[0]).toMatchObject({ field: "password", code: "wrong" });
  expect((await browser.send("GET", "/user/two-factor")).json.recovery_codes_left).toBe(8);
  const renewed = await renew(password);
  expect(renewed.json.recovery_codes).toHaveLength(10);
  expect((await signIn("eva", { otp: third })).status).toBe(401);
  expect((await signIn("eva", { otp: renewed.json.recovery_codes[0] })).status).toBe(201);
  const logins = await server.container.platform.db.query(
    "select details->>'second_factor' as factor from audit_log where action = 'auth.login' and target_name = 'eva' and details ? 'second_factor'",
  );
  expect(logins.map((row) => row["factor"])).toEqual(["recovery_code", "recovery_code", "recovery_code"]);
});

test("nothing of it can be read from the database", async () => {
  const { secret, codes } = await protectedUser("fay");
  for (const table of ["two_factor", "recovery_codes", "audit_log", "idempotency_keys"]) {
    const rows = JSON.stringify(
      await server.container.platform.db.query(`select t::text as row from ${table} t`),
    );
    for (const text of [secret, ...codes])
      for (const form of [text, Buffer.from(text).toString("hex")]) expect(rows).not.toContain(form);
  }
});

test("is turned off with the password, or by an administrator for who lost it; both are recorded", async () => {
  const { browser } = await protectedUser("gil");
  expect((await browser.send("DELETE", "/user/two-factor", { password: "wrong" })).status).toBe(422);
  expect((await browser.send("DELETE", "/user/two-factor", { password })).status).toBe(204);
  expect((await browser.send("DELETE", "/user/two-factor", { password })).status).toBe(409);
  expect((await signIn("gil")).status).toBe(201);
  await protectedUser("hal");
  const admin = await server.person("chief", { isAdmin: true });
  const remove = (token: string) => server.api("DELETE", "/admin/users/hal/two-factor", { token });
  expect((await remove((await server.person("nobody")).token)).status).toBe(403);
  expect((await remove(admin.token)).status).toBe(204);
  expect((await remove(admin.token)).status).toBe(409);
  expect((await signIn("hal")).status).toBe(201);
  const recorded = await server.container.platform.db.query(
    "select actor_username, target_name from audit_log where action = 'user.two_factor_disable' order by seq",
  );
  expect(recorded).toEqual([
    { actor_username: "gil", target_name: "gil" },
    { actor_username: "chief", target_name: "hal" },
  ]);
});

test("a token without every scope cannot touch it", async () => {
  const ivy = await server.person("ivy", { scopes: ["user:read", "user:write"] });
  const answer = await server.api("POST", "/user/two-factor", { token: ivy.token, body: { password } });
  expect(answer).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
});
