import { afterAll, beforeAll, expect, test } from "vitest";
import { once } from "node:events";
import { WebSocket } from "ws";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { openBrowser, signUp, type Browser } from "../../../support/browser.ts";

const password = "a long enough password";
let server: ApiServer;
let other: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
  other = await startApiServer({ beside: server });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

async function signedIn(username: string, make = true): Promise<Browser> {
  if (make) await signUp(server, username, password);
  const browser = openBrowser(server);
  expect((await browser.signIn(username, password)).status).toBe(201);
  return browser;
}

const audit = (action: string, username: string) =>
  server.container.platform.db.query(
    "select actor_username, ip_address, user_agent, details from audit_log where action = $1 and (actor_username = $2 or target_name = $2) order by seq",
    [action, username],
  );

test("signs in with a cookie that only this host's pages get, whose value is stored nowhere", async () => {
  const browser = await signedIn("ada");
  const answer = await browser.signIn("ada", password);
  expect(answer.headers["set-cookie"]).toEqual([
    expect.stringMatching(
      /^__Host-forgeline_session=svc_session_[\w-]{51}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  expect(answer.headers["cache-control"]).toBe("no-store");
  const token = browser.cookie().split("=")[1] ?? "";
  expect(answer.text).not.toContain(token);
  const rows = await server.container.platform.db.query("select s::text as row from sessions s");
  expect(JSON.stringify(rows)).not.toContain(token);
  expect((await browser.send("GET", "/user")).json.username).toBe("ada");
  expect((await audit("auth.login", "ada"))[0]).toMatchObject({
    ip_address: "127.0.0.1",
    details: { method: "password" },
  });
});

test("each sign-in makes a new token, and ends the session that this browser had", async () => {
  const browser = await signedIn("kim");
  const before = browser.cookie();
  await browser.signIn("kim", password);
  expect(browser.cookie()).not.toBe(before);
  expect((await server.api("GET", "/user", { headers: { Cookie: before } })).status).toBe(401);
  expect((await browser.send("GET", "/user/sessions")).json).toHaveLength(1);
  // That of somebody else stays theirs, whose browser this is also.
  const kims = browser.cookie();
  await signUp(server, "kay", password);
  expect((await browser.signIn("kay", password)).status).toBe(201);
  expect((await server.api("GET", "/user", { headers: { Cookie: kims } })).json.username).toBe("kim");
});

test("a session in a header, in Basic and in the cookie is the same principal; in the address it is none", async () => {
  const browser = await signedIn("lou");
  const token = browser.cookie().split("=")[1] ?? "";
  const basic = Buffer.from(`x:${token}`).toString("base64");
  for (const headers of [
    { Authorization: `Bearer ${token}` },
    { Authorization: `Basic ${basic}` },
    { Cookie: browser.cookie() },
  ] as Record<string, string>[])
    expect((await server.api("GET", "/user", { headers })).json.username).toBe("lou");
  expect((await server.api("GET", `/user?x=${token}`)).status).toBe(401);
  const pat = (await server.person("pat")).token;
  const both = { Cookie: browser.cookie(), Authorization: `Bearer ${pat}` };
  expect((await server.api("GET", "/user", { headers: both })).json.username).toBe("pat");
  const spoilt = { ...both, Authorization: "Bearer nonsense" };
  expect((await server.api("GET", "/user", { headers: spoilt })).status).toBe(401);
});

test("a cookie changes nothing without the proof that our own page sent it", async () => {
  const browser = await signedIn("mia");
  const good = { Cookie: browser.cookie(), Origin: server.webUrl, "X-CSRF-Token": browser.csrfToken() };
  const strangers = (await signedIn("ned")).csrfToken();
  const body = { name: "changed" };
  const attempts: Record<string, string>[] = [
    { Cookie: good.Cookie },
    { ...good, Origin: "https://evil.example" },
    { ...good, Origin: "null" },
    { Cookie: good.Cookie, "X-CSRF-Token": good["X-CSRF-Token"] },
    { Cookie: good.Cookie, Origin: good.Origin },
    { ...good, "X-CSRF-Token": strangers },
    { ...good, "X-CSRF-Token": "" },
  ];
  for (const headers of attempts) {
    const answer = await server.api("PATCH", "/user", { headers, body });
    expect([headers, answer.status, answer.json.error]).toEqual([headers, 403, "forbidden"]);
  }
  const form = { ...good, "Content-Type": "application/x-www-form-urlencoded" };
  expect((await server.api("PATCH", "/user", { headers: form, body: "name=changed" })).status).toBe(415);
  expect((await browser.send("GET", "/user")).json.name).toBe("");
  expect((await server.api("PATCH", "/user", { headers: good, body })).json.name).toBe("changed");
});

test("a page finds its CSRF token again, and sees it for its own session only", async () => {
  const browser = await signedIn("ona");
  const again = await signedIn("ona", false);
  const current = await browser.send("GET", "/user/sessions/current");
  expect(current.json).toMatchObject({ current: true, csrf_token: browser.csrfToken() });
  const list = (await browser.send("GET", "/user/sessions")).json as { id: string; current: boolean }[];
  expect(list.map((s) => s.current)).toEqual([false, true]);
  const foreign = await browser.send("GET", `/user/sessions/${list[0]?.id}`);
  expect(foreign.json).not.toHaveProperty("csrf_token");
  const stranger = await signedIn("pia");
  expect((await stranger.send("GET", `/user/sessions/${list[0]?.id}`)).status).toBe(404);
  expect((await stranger.send("DELETE", `/user/sessions/${list[0]?.id}`)).status).toBe(404);
  expect((await again.send("GET", "/user")).status).toBe(200);
});

test("signing out ends the session on every server at once, drops the cookie and is recorded", async () => {
  const browser = await signedIn("quin");
  const cookie = browser.cookie();
  const elsewhere = () => other.api("GET", "/user", { headers: { Cookie: cookie } });
  expect((await elsewhere()).status).toBe(200);
  const left = await browser.send("DELETE", "/user/sessions/current");
  expect(left.status).toBe(204);
  expect(left.headers["set-cookie"]?.[0]).toContain("Max-Age=0");
  expect((await elsewhere()).status).toBe(401);
  expect(await audit("auth.logout", "quin")).toHaveLength(1);
});

test("a dead cookie does not keep anybody out: public pages open, and signing in works", async () => {
  const browser = await signedIn("rex");
  const cookie = browser.cookie();
  await browser.send("DELETE", "/user/sessions/current");
  const headers = { Cookie: cookie, Origin: server.webUrl };
  expect((await server.api("GET", "/meta", { headers })).status).toBe(200);
  const answer = await server.api("POST", "/user/sessions", { headers, body: { username: "rex", password } });
  expect(answer.status).toBe(201);
});

test("ends one session, or all the others, and nobody else's", async () => {
  const stranger = await signedIn("sid");
  const browsers = [await signedIn("sam"), await signedIn("sam", false), await signedIn("sam", false)];
  const [first, second, third] = browsers as [Browser, Browser, Browser];
  const list = (await first.send("GET", "/user/sessions")).json as { id: string }[];
  expect(list).toHaveLength(3);
  expect((await first.send("DELETE", `/user/sessions/${list[0]?.id}`)).status).toBe(204);
  expect((await third.send("GET", "/user")).status).toBe(401);
  expect((await first.send("DELETE", "/user/sessions")).status).toBe(204);
  expect((await second.send("GET", "/user")).status).toBe(401);
  for (const browser of [first, stranger]) expect((await browser.send("GET", "/user")).status).toBe(200);
});

test("a session whose time is over is not there: not listed, counted, shown or ended, and soon removed", async () => {
  const { db } = server.container.platform;
  const browser = await signedIn("tia");
  await signedIn("tia", false);
  const [over, own] = (await browser.send("GET", "/user/sessions")).json as { id: string }[];
  await db.query("update sessions set expires_at = now() where id = $1", [over?.id]);
  const listed = await browser.send("GET", "/user/sessions");
  expect([listed.json.map(({ id }: { id: string }) => id), listed.headers["x-total-count"]]).toEqual([
    [own?.id],
    "1",
  ]);
  for (const method of ["GET", "DELETE"])
    expect((await browser.send(method, `/user/sessions/${over?.id}`)).status).toBe(404);
  await signedIn("tia", false);
  expect(await db.query("select from sessions where id = $1", [over?.id])).toEqual([]);
});

test("a session ends after a week unused and after thirty days in any case; use keeps it alive until then", async () => {
  const browser = await signedIn("tom");
  const { db } = server.container.platform;
  const days = async () => {
    const row = await db.one<{ idle: number; all: number }>(
      `select extract(epoch from expires_at - now()) / 86400 as idle, extract(epoch from ends_at - now()) / 86400 as all
       from sessions where user_id = (select id from users where username = 'tom')`,
    );
    return [Math.round(Number(row?.idle)), Math.round(Number(row?.all))];
  };
  expect(await days()).toEqual([7, 30]);
  await db.query(
    "update sessions set last_seen_at = now() - interval '5 days', expires_at = now() + interval '2 days', ends_at = now() + interval '3 days' where user_id = (select id from users where username = 'tom')",
  );
  await browser.send("GET", "/user");
  await expect.poll(days).toEqual([3, 3]);
  await db.query(
    "update sessions set expires_at = now() where user_id = (select id from users where username = 'tom')",
  );
  expect((await browser.send("GET", "/user")).status).toBe(401);
});

test("changing the password needs the old one, ends every session, and leaves tokens alone", async () => {
  const browser = await signedIn("uma");
  const elsewhere = await signedIn("uma", false);
  const made = await browser.send("POST", "/user/tokens", {
    name: "laptop",
    scopes: ["user:read", "user:write"],
  });
  const next = "another long password";
  const wrong = await browser.send("PUT", "/user/password", { current_password: "wrong", password: next });
  expect(wrong.json.errors).toEqual([expect.objectContaining({ field: "current_password", code: "wrong" })]);
  const simple = await browser.send("PUT", "/user/password", {
    current_password: password,
    password: "aaaaaaaaaaaa",
  });
  expect(simple.json.errors).toEqual([expect.objectContaining({ field: "password", code: "too_simple" })]);
  const narrow = await server.api("PUT", "/user/password", {
    token: made.json.token,
    body: { current_password: password, password: next },
  });
  expect(narrow).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
  const changed = await browser.send("PUT", "/user/password", { current_password: password, password: next });
  expect(changed.status).toBe(204);
  expect(browser.cookie()).toBe("");
  expect((await elsewhere.send("GET", "/user")).status).toBe(401);
  expect((await server.api("GET", "/user", { token: made.json.token })).status).toBe(200);
  expect((await browser.signIn("uma", password)).status).toBe(401);
  expect((await browser.signIn("uma", next)).status).toBe(201);
  expect(await audit("user.password_change", "uma")).toHaveLength(1);
});

test("a suspended user is refused at once, everywhere, with everything; what they own stays", async () => {
  const admin = await server.person("chief", { isAdmin: true });
  const browser = await signedIn("vic");
  const made = await browser.send("POST", "/user/tokens", { name: "laptop", scopes: ["user:read"] });
  const withToken = (at: ApiServer) => at.api("GET", "/user", { token: made.json.token });
  for (const at of [server, other]) expect((await withToken(at)).status).toBe(200);
  const mark = (suspended: boolean) =>
    server.container.platform.db.query("update users set suspended = $1 where username = 'vic'", [suspended]);
  await mark(true);
  expect((await browser.send("GET", "/user")).status).toBe(401);
  await mark(false);
  expect((await browser.send("GET", "/user")).status).toBe(200);
  const suspend = (method: string, name = "vic") =>
    server.api(method, `/admin/users/${name}/suspension`, { token: admin.token });
  expect((await suspend("PUT")).status).toBe(204);
  expect((await suspend("PUT")).status).toBe(204);
  expect((await withToken(server)).status).toBe(401);
  await expect.poll(async () => (await withToken(other)).status).toBe(401);
  expect((await browser.send("GET", "/user")).status).toBe(401);
  const again = openBrowser(server);
  expect(await again.signIn("vic", password)).toMatchObject({ status: 403, json: { error: "forbidden" } });
  expect((await again.signIn("vic", "a wrong password")).status).toBe(401);
  expect((await suspend("PUT", "chief")).status).toBe(409);
  expect((await suspend("PUT", "nobody")).status).toBe(404);
  expect((await suspend("DELETE")).status).toBe(204);
  expect((await withToken(server)).status).toBe(200);
  expect((await browser.send("GET", "/user")).status).toBe(401);
  expect(await audit("user.suspend", "vic")).toHaveLength(1);
});

test("sockets look at no cookie, whatever the origin", async () => {
  const browser = await signedIn("wim");
  await browser.send("POST", "/repos", { name: "hidden" });
  const content = Buffer.from("image: a\nsteps: [x]\n").toString("base64");
  await browser.send("PUT", "/repos/wim/hidden/contents/.forgeline.yml", { message: "run", content });
  expect((await browser.send("GET", "/repos/wim/hidden/pipelines/1")).status).toBe(200);
  const path = `${server.webUrl.replace("https", "wss")}/api/v1/repos/wim/hidden/pipelines/1/logs/stream`;
  const refusal = async (headers: Record<string, string>) => {
    const ws = new WebSocket(path, { ca: server.ca, headers });
    ws.on("error", () => undefined);
    const refused = once(ws, "unexpected-response") as Promise<[unknown, { statusCode: number }]>;
    const status = await Promise.race([refused.then(([, res]) => res.statusCode), once(ws, "open")]);
    ws.terminate();
    return status;
  };
  expect(await refusal({ Cookie: browser.cookie() })).toBe(401);
  expect(await refusal({ Cookie: browser.cookie(), Origin: "https://evil.example" })).toBe(403);
  const own = await refusal({ Cookie: browser.cookie(), Origin: server.webUrl });
  expect([own, await refusal({ Origin: server.webUrl })]).toEqual([404, 404]);
  expect((await browser.send("GET", "/repos/wim/hidden")).status).toBe(200);
});
