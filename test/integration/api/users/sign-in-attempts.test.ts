/** Guessing passwords: slowed for who guesses, never a way to lock somebody out, and blind to whether a name exists. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { openBrowser, signUp } from "../../../support/browser.ts";
import { lockWait } from "../../../support/lock-wait.ts";

const password = "a long enough password";
let server: ApiServer;
beforeAll(async () => {
  // This test is its own proxy, so that it can come from any address.
  server = await startApiServer({
    env: { FORGELINE_TRUSTED_PROXIES: "127.0.0.1", FORGELINE_SIGN_UP: "open" },
  });
  for (const name of ["ada", "bob", "cy", "dan"]) await signUp(server, name, password);
});
afterAll(() => server.stop());

const from = (address: string) => openBrowser(server, { "X-Forwarded-For": address });
const guess = async (address: string, username: string, text = "a wrong password") =>
  (await from(address).signIn(username, text)).status;

/** Of attempts at the same time: at how many passwords was looked, and what a busy machine needed, in which waits may end. */
async function failures(
  tries: readonly (() => Promise<number>)[],
): Promise<{ looked: number; seconds: number }> {
  const began = performance.now();
  const statuses = await Promise.all(tries.map((each) => each()));
  expect(new Set([...statuses, 401, 429])).toEqual(new Set([401, 429]));
  const looked = statuses.filter((status) => status === 401).length;
  return { looked, seconds: Math.ceil((performance.now() - began) / 1000) };
}

test("after five failures the same place has to wait for that account, even with the right password", async () => {
  for (let i = 0; i < 5; i++) expect(await guess("203.0.113.1", "ada")).toBe(401);
  const next = await from("203.0.113.1").signIn("ada", password);
  expect(next).toMatchObject({ status: 429, json: { error: "rate_limit_exceeded" } });
  expect(Number(next.headers["retry-after"])).toBeGreaterThan(0);
  expect(await guess("203.0.113.1", "bob", password)).toBe(201);
  expect(await guess("203.0.113.2", "ada", password)).toBe(201);
});

test("who comes too early from one place takes nothing of what the account has for other places", async () => {
  for (let i = 0; i < 5; i++) expect(await guess("203.0.113.8", "zed")).toBe(401);
  const early = await failures(Array.from({ length: 20 }, () => () => guess("203.0.113.8", "zed")));
  expect(early.looked).toBeLessThanOrEqual(early.seconds);
  expect(await guess("203.0.113.9", "zed")).toBe(401);
});

test("an attempt that began before the last one was written, and waited for it, is not taken for an early one", async () => {
  const { attempts } = server.container.accounts;
  const { db } = server.container.platform;
  const tried = { account: "late", ipAddress: "203.0.113.10", signedIn: false };
  await attempts.begin(tried);
  let second: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    const account = "scope = 'account' and key = sha256('late')";
    await tx.query(`select from login_attempts where ${account} for update`);
    second = attempts.begin(tried);
    await lockWait(db);
    await tx.query(`update login_attempts set last_at = clock_timestamp() where ${account}`);
  });
  await expect(second).resolves.toBeDefined();
});

test("a count is taken back in the order in which it is made, so that the two never wait for each other", async () => {
  const { attempts } = server.container.accounts;
  const { db } = server.container.platform;
  const attempt = await attempts.begin({ account: "order", ipAddress: "203.0.113.11", signedIn: false });
  let undone: Promise<void> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query("select from login_attempts where scope = 'address' for update");
    undone = attempt.undone();
    await lockWait(db);
    const free = "select from login_attempts where key = sha256('order') for update skip locked";
    expect(await tx.query(free), "of the account").toEqual([]);
  });
  await undone;
});

test("an unknown name is treated alike: same answer, same waiting", async () => {
  const known = await from("203.0.113.3").signIn("bob", "a wrong password");
  const unknown = await from("203.0.113.4").signIn("nobody", "a wrong password");
  expect(unknown.status).toBe(known.status);
  expect(unknown.text).toBe(known.text);
  for (let i = 0; i < 4; i++) expect(await guess("203.0.113.4", "nobody")).toBe(401);
  expect(await guess("203.0.113.4", "NOBODY")).toBe(429);
});

test("attempts at the same time count like attempts one after the other", async () => {
  const all = await failures(Array.from({ length: 20 }, () => () => guess("203.0.113.5", "cy")));
  expect(all.looked).toBeGreaterThanOrEqual(5);
  expect(all.looked).toBeLessThanOrEqual(5 + all.seconds);
});

test("one place that tries many names has to wait, and IPv6 neighbours are one place", async () => {
  const place = (i: number) => `2001:db8:0:1${(i % 256).toString(16).padStart(2, "0")}::${i + 1}`;
  const all = await failures(Array.from({ length: 40 }, (_, i) => () => guess(place(i), `name-${i}`)));
  expect(all.looked).toBeGreaterThanOrEqual(30);
  expect(all.looked).toBeLessThanOrEqual(30 + all.seconds);
  expect(await guess("2001:db8:0:200::1", "name-x")).toBe(401);
});

test("many places against one account slow it for strangers only: where its owner signed in before, the way is open", async () => {
  expect(await guess("198.51.100.1", "dan", password)).toBe(201);
  const all = await failures(Array.from({ length: 40 }, (_, i) => () => guess(`192.0.2.${i}`, "dan")));
  expect(all.looked).toBeGreaterThanOrEqual(20);
  expect(all.looked).toBeLessThanOrEqual(20 + all.seconds);
  expect(await guess("198.51.100.1", "dan", password)).toBe(201);
  // An account of one's own opens nothing.
  expect(await guess("198.51.100.2", "bob", password)).toBe(201);
  const stranger = await from("198.51.100.2").signIn("dan", password);
  expect(stranger.status).toBe(429);
  expect(Number(stranger.headers["retry-after"])).toBeLessThanOrEqual(10);
});

test("failures are recorded, with the place and without what was typed", async () => {
  await guess("203.0.113.7", "hunter2-is-my-password");
  await guess("203.0.113.7", "bob");
  const rows = await server.container.platform.db.query(
    "select ip_address, actor_username, target_name from audit_log where action = 'auth.login_failure' and ip_address = '203.0.113.7' order by seq",
  );
  expect(rows).toEqual([
    { ip_address: "203.0.113.7", actor_username: "anonymous", target_name: "" },
    { ip_address: "203.0.113.7", actor_username: "anonymous", target_name: "bob" },
  ]);
  const everything = await server.container.platform.db.query("select a::text as row from audit_log a");
  expect(JSON.stringify(everything)).not.toContain("hunter2");
});

test("all places together have the limit of `auth` at one account; its owner's place and session do not wait", async () => {
  const limited = await startApiServer({
    env: { FORGELINE_TRUSTED_PROXIES: "127.0.0.1", FORGELINE_LIMIT_AUTH: "10" },
    beside: server,
  });
  const at = (address: string) => openBrowser(limited, { "X-Forwarded-For": address });
  const statuses = (username: string, places: string) =>
    Promise.all(
      Array.from(
        { length: 15 },
        async (_, i) => (await at(`${places}.${i}`).signIn(username, "wrong")).status,
      ),
    );
  try {
    await signUp(server, "eli", password);
    const place = { "X-Forwarded-For": "198.51.100.30" };
    const home = openBrowser(limited, place);
    expect((await home.signIn("eli", password)).status).toBe(201);
    for (const [name, places] of [
      ["eli", "192.0.2"],
      ["no-such-name", "203.0.114"],
    ] as const) {
      const all = await statuses(name, places);
      expect([name, all.filter((status) => status === 401).length]).toEqual([name, 10]);
      expect([name, all.filter((status) => status === 429).length]).toEqual([name, 5]);
    }
    const stranger = await at("198.51.100.31").signIn("ELI", password);
    expect([stranger.status, stranger.json.error]).toEqual([429, "rate_limit_exceeded"]);
    expect((await at("198.51.100.30").signIn("eli", password)).status).toBe(201);
    place["X-Forwarded-For"] = "198.51.100.32";
    const change = { current_password: "wrong", password: "another long password" };
    expect((await home.send("PUT", "/user/password", change)).status).toBe(422);
    const windows = await server.container.platform.db.query("select subject from rate_limit_windows");
    expect(JSON.stringify(windows)).not.toContain("no-such-name");
  } finally {
    await limited.stop();
  }
});
