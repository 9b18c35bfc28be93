/** Signing in through an organization's provider, from the first redirect to the session. */
import { generateSync } from "otplib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openBrowser, signUp } from "../../../support/browser.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { startProvider, type TestProvider } from "../../../support/oidc-provider.ts";
import { openVisitor, organizationWithSso } from "../../../support/sso.ts";

const password = "a very long password";
let provider: TestProvider;
let server: ApiServer;
let owner: string;
beforeAll(async () => {
  provider = await startProvider();
  server = await startApiServer({ env: { ...provider.env, FORGELINE_SIGN_UP: "open" } });
  owner = (await server.person("olga")).token;
  await organizationWithSso(server, provider, { name: "acme", token: owner, body: { provision: true } });
  await organizationWithSso(server, provider, { name: "closed", token: owner });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.tamper = undefined;
});

async function auditOf(organization: string, action: string) {
  const answer = await server.api("GET", `/orgs/${organization}/audit-log?action=${action}&per_page=100`, {
    token: owner,
  });
  return answer.json as { actor: { username: string }; details: Record<string, unknown> }[];
}

test("somebody new gets an account, is a member, and comes in without a question from then on", async () => {
  provider.person = {
    sub: "nina-1",
    name: "Nina <b>New</b>",
    email: "nina@example.com",
    email_verified: true,
    preferred_username: "nina",
  };
  const visitor = openVisitor(server, provider);
  const landed = await visitor.signIn("acme");
  expect([landed.status, landed.location?.pathname]).toEqual([303, "/login/sso-account"]);
  const page = await visitor.get("/login/sso-account");
  expect(page.status).toBe(200);
  expect(page.text).toContain("Nina &lt;b&gt;New&lt;/b&gt;");
  expect(page.text).toContain('value="nina"');
  expect(page.text).toContain(provider.issuer);
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  const made = await visitor.submit("/login/sso-account/new", { username: "nina" });
  expect([made.status, made.location?.pathname]).toEqual([303, "/"]);
  expect(await visitor.whoAmI()).toBe("nina");
  const member = await server.api("GET", "/orgs/acme/members/nina", { token: owner });
  expect(member.json).toMatchObject({ role: "member", user: { name: "Nina <b>New</b>" } });

  const again = openVisitor(server, provider);
  const back = await again.signIn("acme");
  expect([back.status, back.location?.pathname]).toEqual([303, "/"]);
  expect(await again.whoAmI()).toBe("nina");
  const sessions = JSON.parse((await again.get("/api/v1/user/sessions")).text) as { method: string }[];
  expect(sessions.map((session) => session.method)).toEqual(["sso", "sso"]);
  expect(await auditOf("acme", "org.sso_link")).toMatchObject([
    {
      actor: { username: "nina" },
      details: { username: "nina", subject: "nina-1", issuer: provider.issuer },
    },
  ]);
  const { rows } = await logins("nina");
  expect(rows.map((row) => row.details)).toMatchObject([
    { method: "SSO", organization: "acme" },
    { method: "SSO", organization: "acme" },
  ]);
});

async function logins(username: string) {
  const rows = await server.container.platform.db.query<{ details: Record<string, unknown> }>(
    "select details from audit_log where action = 'auth.login' and actor_username = $1 and details <> '{}'",
    [username],
  );
  return { rows };
}

test("an address that a provider vouches for is neither believed nor a way into its owner's account", async () => {
  await signUp(server, "victim", password);
  await server.container.platform.db.query(
    "update user_emails set verified_at = now() where lower(email) = 'victim@example.com'",
  );
  await server.container.platform.db.query(
    "update users set email = 'victim@example.com' where username = 'victim'",
  );
  // Also where the victim is in the organization, by no will of their own.
  await server.api("PUT", "/orgs/acme/members/victim", { token: owner, body: {} });
  provider.person = {
    sub: "mallory-1",
    email: "victim@example.com",
    email_verified: true,
    preferred_username: "victim",
  };
  const visitor = openVisitor(server, provider);
  expect((await visitor.signIn("acme")).location?.pathname).toBe("/login/sso-account");
  expect(await visitor.whoAmI()).toBeUndefined();
  const taken = await visitor.submit("/login/sso-account/new", { username: "Victim" });
  expect([taken.status, taken.text.includes("The name is taken.")]).toEqual([409, true]);
  const wrong = await visitor.submit("/login/sso-account/existing", {
    username: "victim",
    password: "not the password",
  });
  expect([wrong.status, await visitor.whoAmI()]).toEqual([401, undefined]);
  await visitor.submit("/login/sso-account/new", { username: "mallory" });
  expect(await visitor.whoAmI()).toBe("mallory");
  const emails = JSON.parse((await visitor.get("/api/v1/user/emails")).text) as object[];
  expect(emails).toMatchObject([{ email: "victim@example.com", verified: false, primary: false }]);
  const identities = await server.api("GET", "/orgs/acme/sso/identities", { token: owner });
  expect(identities.json.map((each: { user: { username: string } }) => each.user.username)).not.toContain(
    "victim",
  );
});

test("an account is linked by who proves its password, a member where accounts are not made", async () => {
  await signUp(server, "lena", password);
  await server.container.platform.db.query(
    "update users set email = 'lena@example.com' where username = 'lena'",
  );
  provider.person = { sub: "lena-1" };
  const outsider = openVisitor(server, provider);
  await outsider.signIn("closed");
  const page = await outsider.get("/login/sso-account");
  expect(page.text).toContain("You must already be a member of closed.");
  expect(page.text).not.toContain("/login/sso-account/new");
  expect((await outsider.submit("/login/sso-account/new", { username: "lena2" })).status).toBe(403);
  const refused = await outsider.submit("/login/sso-account/existing", { username: "lena", password });
  expect([refused.status, refused.text.includes("not a member of closed")]).toEqual([409, true]);

  await server.api("PUT", "/orgs/closed/members/lena", { token: owner, body: {} });
  const visitor = openVisitor(server, provider);
  await visitor.signIn("closed");
  const linked = await visitor.submit("/login/sso-account/existing", { username: "lena", password });
  expect([linked.status, await visitor.whoAmI()]).toEqual([303, "lena"]);
  const later = openVisitor(server, provider);
  await later.signIn("closed");
  expect(await later.whoAmI()).toBe("lena");
  const mails = await server.container.platform.db.query(
    "select to_address from mails where kind = 'sso_linked'",
  );
  expect(mails).toEqual([{ to_address: "lena@example.com" }]);
  // One identity for an account: somebody else at the provider cannot be put on it, too.
  provider.person = { sub: "lena-2" };
  const second = openVisitor(server, provider);
  await second.signIn("closed");
  const both = await second.submit("/login/sso-account/existing", { username: "lena", password });
  expect([both.status, both.text.includes("already")]).toEqual([409, true]);
});

test("a second factor is asked for, whatever the provider did", async () => {
  await signUp(server, "tess", password);
  await server.api("PUT", "/orgs/acme/members/tess", { token: owner, body: {} });
  const browser = openBrowser(server);
  await browser.signIn("tess", password);
  const { secret } = (await browser.send("POST", "/user/two-factor", { password })).json;
  await browser.send("PUT", "/user/two-factor", { otp: generateSync({ secret }) });
  const codes = (await browser.send("PUT", "/user/two-factor/recovery-codes", { password })).json
    .recovery_codes;

  provider.person = { sub: "tess-1" };
  const visitor = openVisitor(server, provider);
  await visitor.signIn("acme");
  const bare = await visitor.submit("/login/sso-account/existing", { username: "tess", password });
  expect([bare.status, await visitor.whoAmI()]).toEqual([401, undefined]);
  await visitor.submit("/login/sso-account/existing", { username: "tess", password, otp: codes[0] });
  expect(await visitor.whoAmI()).toBe("tess");

  const later = openVisitor(server, provider);
  expect((await later.signIn("acme")).location?.pathname).toBe("/login/sso-account");
  expect((await later.get("/login/sso-account")).text).toContain("second factor");
  const wrong = await later.submit("/login/sso-account/code", { otp: "000000" });
  expect([wrong.status, await later.whoAmI()]).toEqual([401, undefined]);
  const used = await later.submit("/login/sso-account/code", { otp: codes[0] });
  expect([used.status, await later.whoAmI()]).toEqual([401, undefined]);
  const right = await later.submit("/login/sso-account/code", { otp: codes[1] });
  expect([right.status, await later.whoAmI()]).toEqual([303, "tess"]);
  const replay = await later.submit("/login/sso-account/code", { otp: codes[2] });
  expect(replay.status).toBe(400);
});

test("neither suspended users nor administrators of the instance come in", async () => {
  for (const [username, change] of [
    ["susi", "suspended = true"],
    ["adam", "is_admin = true"],
  ] as const) {
    provider.person = { sub: `${username}-1`, preferred_username: username };
    const visitor = openVisitor(server, provider);
    await visitor.signIn("acme");
    await visitor.submit("/login/sso-account/new", { username });
    expect(await visitor.whoAmI()).toBe(username);
    await server.container.platform.db.query(`update users set ${change} where username = $1`, [username]);
    const later = openVisitor(server, provider);
    const refused = await later.signIn("acme");
    expect([username, refused.status, await later.whoAmI()]).toEqual([username, 403, undefined]);
  }
  // Nor is an administrator's account linked in the first place.
  await signUp(server, "root2", password);
  await server.container.platform.db.query("update users set is_admin = true where username = 'root2'");
  provider.person = { sub: "root-1" };
  const visitor = openVisitor(server, provider);
  await visitor.signIn("acme");
  const refused = await visitor.submit("/login/sso-account/existing", { username: "root2", password });
  expect([refused.status, refused.text.includes("cannot be linked")]).toEqual([409, true]);
  const identities = await server.api("GET", "/orgs/acme/sso/identities?per_page=100", { token: owner });
  expect(JSON.stringify(identities.json)).not.toContain("root-1");
});

test("an app's sign-in goes on after it, and nobody is sent anywhere else", async () => {
  provider.person = { sub: "nina-1" };
  const next = "/oauth/authorize?client_id=x&state=a%20b";
  const visitor = openVisitor(server, provider);
  const landed = await visitor.signIn("acme", `?${new URLSearchParams({ next }).toString()}`);
  expect(landed.location?.href).toBe(`${server.webUrl}/oauth/authorize?client_id=x&state=a+b`);
  for (const evil of [
    "https://evil.example/oauth/authorize?x",
    "//evil.example/oauth/authorize",
    "/\\evil.example/oauth/authorize",
    "/docs",
    "javascript:alert(1)",
    "/oauth/authorize/../../docs",
  ]) {
    const other = openVisitor(server, provider);
    const answer = await other.signIn("acme", `?${new URLSearchParams({ next: evil }).toString()}`);
    expect([evil, answer.location?.href]).toEqual([evil, `${server.webUrl}/`]);
  }
  const asked = await visitor.get(`/login/sso?organization=acme&${new URLSearchParams({ next }).toString()}`);
  expect(asked.location?.pathname).toBe("/login/sso/acme");
  expect((await visitor.get("/oauth/authorize?client_id=x")).status).toBe(400);
});

test("whom an owner parts, who leaves, and whose organization gives it up are signed out of what it opened", async () => {
  const come = async (sub: string, organization = "acme") => {
    provider.person = { sub };
    const visitor = openVisitor(server, provider);
    await visitor.signIn(organization);
    if (!(await visitor.whoAmI())) await visitor.submit("/login/sso-account/new", { username: sub });
    expect(await visitor.whoAmI()).toBe(sub);
    return visitor;
  };
  const parted = await come("paula");
  const identities = await server.api("GET", "/orgs/acme/sso/identities?per_page=100", { token: owner });
  const { id } = identities.json.find((each: { subject: string }) => each.subject === "paula");
  expect((await server.api("DELETE", `/orgs/acme/sso/identities/${id}`, { token: owner })).status).toBe(204);
  expect(await parted.whoAmI()).toBeUndefined();
  expect((await auditOf("acme", "org.sso_unlink"))[0]).toMatchObject({ details: { username: "paula" } });

  const leaver = await come("luis");
  expect((await server.api("DELETE", "/orgs/acme/members/luis", { token: owner })).status).toBe(204);
  expect(await leaver.whoAmI()).toBeUndefined();

  await organizationWithSso(server, provider, { name: "brief", token: owner, body: { provision: true } });
  const last = await come("bea", "brief");
  expect((await server.api("DELETE", "/orgs/brief/sso", { token: owner })).status).toBe(204);
  expect(await last.whoAmI()).toBeUndefined();
  expect((await last.get("/login/sso/brief")).status).toBe(404);
});

test("people part themselves, unless nothing else signs them in", async () => {
  provider.person = { sub: "solo" };
  const visitor = openVisitor(server, provider);
  await visitor.signIn("acme");
  await visitor.submit("/login/sso-account/new", { username: "solo" });
  const solo = { id: "", username: "solo", token: "" };
  const row = await server.container.platform.db.one<{ id: string }>(
    "select id from users where username = 'solo'",
  );
  const token = await server.tokenFor({ ...solo, id: row?.id ?? "" }, ["user:read", "user:write"]);
  const own = await server.api("GET", "/user/sso-identities", { token });
  expect(own.json).toMatchObject([{ organization: "acme", subject: "solo", issuer: provider.issuer }]);
  const path = `/user/sso-identities/${own.json[0].id}`;
  expect((await server.api("DELETE", path, { token })).status).toBe(409);
  expect((await server.api("DELETE", path, { token: owner })).status).toBe(404);
  await server.container.platform.db.query("update users set password_hash = 'x' where username = 'solo'");
  expect((await server.api("DELETE", path, { token })).status).toBe(204);
  expect(await visitor.whoAmI()).toBeUndefined();
});
