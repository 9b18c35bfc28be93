import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { openBrowser, signUp, type Browser } from "../../../support/browser.ts";
import { eventually } from "../../../support/eventually.ts";
import { mailServer } from "../../../support/mail-server.ts";

const password = "a long enough password";
let server: ApiServer;
let admin: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  admin = await server.person("root-admin", { isAdmin: true });
});
afterAll(() => server.stop());

interface Mail {
  to: string;
  kind: string;
  subject: string;
  text: string;
  state: string;
}

async function mailsTo(address: string, at = server): Promise<Mail[]> {
  const answer = await at.api("GET", "/admin/mails?per_page=100", { token: admin.token });
  return (answer.json as Mail[]).filter((mail) => mail.to === address);
}

/** The newest mail to an address, once there are `count`. */
async function mailTo(address: string, count = 1): Promise<Mail> {
  await eventually(async () => (await mailsTo(address)).length >= count);
  return (await mailsTo(address))[0] as Mail;
}

/** Waits until no request for a mail is open any more. */
const composed = () =>
  eventually(
    async () => (await server.container.platform.db.query("select 1 from mail_requests")).length === 0,
  );

const tokenIn = (mail: Mail) => /svc_once_\S+/.exec(mail.text)?.[0] ?? "";
const verify = (token: string) => server.api("POST", "/email-verifications", { body: { token } });

async function signedIn(username: string): Promise<Browser> {
  await signUp(server, username, password);
  const browser = openBrowser(server);
  await browser.signIn(username, password);
  return browser;
}

async function verified(username: string): Promise<Browser> {
  const browser = await signedIn(username);
  expect((await verify(tokenIn(await mailTo(`${username}@example.com`)))).status).toBe(204);
  return browser;
}

test("an address counts once the token from its mail came back, and signs in from then on", async () => {
  const browser = await signedIn("ada");
  const address = "ada@example.com";
  expect((await browser.send("GET", "/user/emails")).json).toMatchObject([
    { email: address, verified: false, primary: false },
  ]);
  const early = await openBrowser(server).signIn(address, password);
  expect(early.status).toBe(401);
  const mail = await mailTo(address);
  expect(mail).toMatchObject({ kind: "verify_email", state: "kept" });
  const token = tokenIn(mail);
  expect((await verify(token)).status).toBe(204);
  expect((await verify(token)).json.errors[0]).toMatchObject({ field: "token", code: "invalid" });
  expect((await browser.send("GET", "/user/emails")).json).toMatchObject([{ verified: true, primary: true }]);
  expect((await browser.send("GET", "/user")).json.email).toBe(address);
  expect((await openBrowser(server).signIn("ADA@example.com", password)).status).toBe(201);
  await browser.send("PATCH", "/user", { email_public: true });
  expect((await server.api("GET", "/users/ada")).json.email).toBe(address);
});

test("tokens of mails are in no column of the database, and are accepted as a credential nowhere", async () => {
  await signedIn("col");
  const token = tokenIn(await mailTo("col@example.com"));
  for (const table of ["mails", "account_tokens", "mail_requests", "audit_log"]) {
    const rows = await server.container.platform.db.query(`select t::text as row from ${table} t`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString("hex"));
  }
  expect((await server.api("GET", "/user", { token })).status).toBe(401);
  expect((await server.api("POST", `/email-verifications?x=${token}`, { body: { token } })).status).toBe(401);
});

test("an address of another account cannot be taken, and its owner hears of it; the answer tells nothing", async () => {
  await verified("bob");
  const eve = await signedIn("eve");
  const long = await eve.send("POST", "/user/emails", { email: `${"x".repeat(65)}@example.com` });
  expect([long.status, long.json.errors[0].field]).toEqual([422, "email"]);
  const taken = await eve.send("POST", "/user/emails", { email: "bob@example.com" });
  const free = await eve.send("POST", "/user/emails", { email: "nobody-has-this@example.com" });
  expect([taken.status, free.status]).toEqual([201, 201]);
  expect(Object.keys(taken.json)).toEqual(Object.keys(free.json));
  await composed();
  const all = await mailsTo("bob@example.com");
  expect(all.every((mail) => mail.text.includes("Hello bob"))).toBe(true);
});

test("of two who claim an address the first to prove it has it", async () => {
  const first = await signedIn("first");
  const second = await signedIn("second");
  const address = "shared@example.com";
  await first.send("POST", "/user/emails", { email: address });
  const one = tokenIn(await mailTo(address));
  await server.container.platform.db.query("update mails set created_at = now() - interval '5 minutes'");
  await second.send("POST", "/user/emails", { email: address });
  const two = tokenIn(await mailTo(address, 2));
  expect((await verify(two)).status).toBe(204);
  expect(await verify(one)).toMatchObject({ status: 409, json: { error: "conflict" } });
});

test("sets a new password with the token of a mail, once, and ends every session", async () => {
  const browser = await verified("kim");
  const ask = (email: string) => server.api("POST", "/password-resets", { body: { email } });
  const known = await ask("kim@example.com");
  const unknown = await ask("not-known@example.com");
  expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
  expect(known.status).toBe(202);
  await eventually(async () => (await mailsTo("kim@example.com"))[0]?.kind === "reset_password");
  const token = tokenIn((await mailsTo("kim@example.com"))[0] as Mail);
  const complete = (next: string) =>
    server.api("POST", "/password-resets/completions", { body: { token, password: next } });
  expect((await complete("aaaaaaaaaaaaa")).json.errors[0]).toMatchObject({ field: "password" });
  const next = "quite another password";
  const expires = (when: string) =>
    server.container.platform.db.query(`update account_tokens set expires_at = ${when}`);
  await expires("now()");
  expect((await complete(next)).status).toBe(422);
  await expires("now() + interval '1 minute'");
  const both = await Promise.all([complete(next), complete(next)]);
  expect(both.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([204, 422]);
  expect((await browser.send("GET", "/user")).status).toBe(401);
  expect((await openBrowser(server).signIn("kim", password)).status).toBe(401);
  expect((await openBrowser(server).signIn("kim", next)).status).toBe(201);
  expect((await mailsTo("kim@example.com"))[0]?.kind).toBe("password_changed");
  expect(await mailsTo("not-known@example.com")).toEqual([]);
});

test("no mail for unverified addresses and suspended users, and never a flood", async () => {
  await signedIn("lou");
  await mailTo("lou@example.com");
  const mia = await verified("mia");
  await verified("ned");
  await server.api("PUT", "/admin/users/ned/suspension", { token: admin.token });
  for (const name of ["lou", "ned", "mia"])
    await server.api("POST", "/password-resets", { body: { email: `${name}@example.com` } });
  await composed();
  for (let i = 0; i < 5; i++) {
    await server.api("POST", "/password-resets", { body: { email: "MIA@example.com" } });
    await composed();
  }
  const resets = async (name: string) =>
    (await mailsTo(`${name}@example.com`)).filter((mail) => mail.kind === "reset_password").length;
  expect([await resets("lou"), await resets("ned"), await resets("mia")]).toEqual([0, 0, 1]);
  expect((await mia.send("GET", "/user")).status).toBe(200);
});

test("changes the primary address, keeps one, and asks every scope of a token", async () => {
  const browser = await verified("ona");
  const added = await browser.send("POST", "/user/emails", { email: "ona@work.example" });
  const at = `/user/emails/${added.json.id}`;
  expect((await browser.send("PATCH", at, { primary: true })).status).toBe(409);
  expect((await browser.send("POST", `${at}/verification`)).status).toBe(202);
  expect((await verify(tokenIn(await mailTo("ona@work.example")))).status).toBe(204);
  expect((await mailTo("ona@example.com", 2)).kind).toBe("email_added");
  expect((await browser.send("POST", `${at}/verification`)).status).toBe(409);
  expect((await browser.send("PATCH", at, { primary: true })).json).toMatchObject({ primary: true });
  expect((await browser.send("GET", "/user")).json.email).toBe("ona@work.example");
  expect((await browser.send("DELETE", at)).status).toBe(409);
  const list = (await browser.send("GET", "/user/emails")).json as { id: string; primary: boolean }[];
  const old = list.find((one) => !one.primary);
  const stranger = await signedIn("pia");
  expect((await stranger.send("DELETE", `/user/emails/${old?.id}`)).status).toBe(404);
  expect((await browser.send("DELETE", `/user/emails/${old?.id}`)).status).toBe(204);
  const again = await browser.send("POST", "/user/emails", { email: "ONA@work.example" });
  expect(again.json.errors[0]).toMatchObject({ field: "email", code: "not_allowed" });
  const narrow = await server.person("narrow", { scopes: ["user:read", "user:write"] });
  const refused = await server.api("POST", "/user/emails", {
    token: narrow.token,
    body: { email: "x@y.example" },
  });
  expect(refused).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
});

test.each(["", "x", "a@b", "a@example.com\r\nBcc: b@example.com", "<a@example.com>", "a@exa mple.com"])(
  "refuses %j as an address",
  async (email) => {
    const answer = await server.api("POST", "/password-resets", { body: { email } });
    expect(answer.status).toBe(422);
    expect(answer.json.errors[0].field).toBe("email");
  },
);

test("only administrators read mails", async () => {
  const eve = await server.person("curious");
  expect((await server.api("GET", "/admin/mails", { token: eve.token })).status).toBe(403);
});

test("hands mails to a mail server, again when it was put off, and forgets what was in them", async () => {
  const smtp = await mailServer({ putOff: 1 });
  const sending = await startApiServer({
    env: { FORGELINE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, FORGELINE_MAIL_FROM: "forge@example.com" },
  });
  try {
    const chief = await sending.person("chief", { isAdmin: true });
    const mails = async () =>
      (await sending.api("GET", "/admin/mails", { token: chief.token })).json as (Mail & { error: string })[];
    await signUp(sending, "zoe", password);
    await eventually(async () => (await mails())[0]?.error?.includes("451") ?? false);
    expect((await mails())[0]?.state).toBe("waiting");
    await sending.container.platform.db.query("update mails set next_try_at = now()");
    await sending.container.platform.db.transaction((tx) => tx.notify("mail", ""));
    await eventually(async () => (await mails())[0]?.state === "sent");
    expect((await mails())[0]?.text).toBeNull();
    expect(smtp.taken).toHaveLength(1);
    expect(smtp.taken[0]).toContain("To: zoe@example.com");
    expect(smtp.taken[0]).toContain("forge@example.com");
    const token = tokenIn({ text: smtp.taken[0]?.replaceAll("=\n", "") ?? "" } as Mail);
    const answer = await sending.api("POST", "/email-verifications", { body: { token } });
    expect(answer.status).toBe(204);

    // Who waits for a code waits for a part of what is composed, not for all of it.
    const { platform, operation } = sending.container;
    const code = { kind: "code", to: "zoe@example.com", subject: "Code", text: "1" };
    let left = 10;
    let sent = 0;
    operation.mailer.composeBy(async () => {
      if (left === 0) return false;
      if (left === 10) await platform.db.transaction((tx) => operation.mail.write(tx, code));
      if (left === 1) sent = smtp.taken.length;
      left -= 1;
      return true;
    });
    await platform.db.transaction((tx) => tx.notify("mail", ""));
    await eventually(() => left === 0);
    expect(sent).toBe(2);
  } finally {
    await sending.stop();
    smtp.server.close();
  }
});
