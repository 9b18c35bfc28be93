/** What must fail: answers to nobody's question, of the wrong provider, used twice, forged, too late; and leaks. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { signUp } from "../../../support/browser.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { startProvider, type TestProvider } from "../../../support/oidc-provider.ts";
import { openVisitor, organizationWithSso, type Visitor } from "../../../support/sso.ts";

let provider: TestProvider;
let server: ApiServer;
let owner: string;
const logged: unknown[][] = [];
beforeAll(async () => {
  provider = await startProvider();
  server = await startApiServer({ env: { ...provider.env, FORGELINE_SIGN_UP: "open" } });
  for (const level of ["debug", "info", "warn", "error"] as const)
    vi.spyOn(server.container.platform.logger, level).mockImplementation((...line: unknown[]) => {
      logged.push(line);
    });
  owner = (await server.person("olga")).token;
  for (const name of ["acme", "other"])
    await organizationWithSso(server, provider, { name, token: owner, body: { provision: true } });
  provider.person = { sub: "nina-1" };
  const visitor = openVisitor(server, provider);
  await visitor.signIn("acme");
  await visitor.submit("/login/sso-account/new", { username: "nina" });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.tamper = undefined;
  provider.person = { sub: "nina-1" };
  provider.asked = [];
});

const visit = () => openVisitor(server, provider);
const tokenRequests = () => provider.asked.filter((path) => path === "/token").length;

async function lastFailure(): Promise<Record<string, unknown> | undefined> {
  const answer = await server.api("GET", "/orgs/acme/audit-log?action=auth.login_failure", { token: owner });
  return (answer.json as { details: Record<string, unknown> }[])[0]?.details;
}

async function expectRefused(visitor: Visitor, callback: URL, status: number, reason: string) {
  const answer = await visitor.get(callback.href);
  expect([reason, answer.status, await visitor.whoAmI()]).toEqual([reason, status, undefined]);
  expect(answer.headers["content-type"]).toContain("text/html");
  expect(await lastFailure()).toEqual({ method: "SSO", reason });
}

test("an answer that this browser did not ask for: other state, no state, no cookie, another browser's cookie", async () => {
  const attacker = visit();
  const stolen = await attacker.throughProvider("acme");
  const victim = visit();
  await expectRefused(victim, stolen, 400, "wrong_browser");
  const begun = await victim.throughProvider("acme");
  await expectRefused(victim, stolen, 400, "wrong_browser");
  const changed = new URL(begun);
  changed.searchParams.set("state", `${begun.searchParams.get("state") ?? ""}x`);
  await expectRefused(victim, changed, 400, "wrong_browser");
  changed.searchParams.delete("state");
  await expectRefused(victim, changed, 400, "wrong_browser");
  expect(tokenRequests()).toBe(0);
  // None of it has used up what is right.
  await victim.get(begun.href);
  expect(await victim.whoAmI()).toBe("nina");
});

test("the same answer twice, also at the same time", async () => {
  const visitor = visit();
  const callback = await visitor.throughProvider("acme");
  const cookie = visitor.cookies.get("__Host-forgeline_sso") ?? "";
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => visit()).map((twin) => {
      twin.cookies.set("__Host-forgeline_sso", cookie);
      return twin.get(callback.href).then((answer) => answer.status);
    }),
  );
  expect(answers.filter((status) => status === 303)).toHaveLength(1);
  expect(tokenRequests()).toBe(1);
  await expectRefused(visitor, callback, 400, "used_or_expired");
});

test("an answer at another organization's address, or after ten minutes", async () => {
  const visitor = visit();
  const callback = await visitor.throughProvider("acme");
  const { json: other } = await server.api("GET", "/orgs/other/sso", { token: owner });
  const elsewhere = await visitor.get(`${other.callback_url}${callback.search}`);
  expect([elsewhere.status, await visitor.whoAmI(), tokenRequests()]).toEqual([400, undefined, 0]);
  await server.container.platform.db.query("update sso_flows set expires_at = now() - interval '1 second'");
  await expectRefused(visitor, callback, 400, "used_or_expired");
  for (const path of ["/login/sso/callback/org_x", "/login/sso/callback/org_01jbcdefghjkmnpqrstvwxyz00"])
    expect((await visitor.get(path)).status).toBe(404);
});

test.each<[what: string, change: (claims: Record<string, unknown>, header: Record<string, unknown>) => void]>(
  [
    ["another nonce", (claims) => (claims["nonce"] = "x".repeat(43))],
    ["no nonce", (claims) => delete claims["nonce"]],
    ["another client", (claims) => (claims["aud"] = "client-other")],
    ["another issuer", (claims) => (claims["iss"] = "https://evil.example")],
    ["an end an hour ago", (claims) => (claims["exp"] = Math.floor(Date.now() / 1000) - 3600)],
    ["no signature", (_claims, header) => (header["alg"] = "none")],
    ["a secret's signature", (_claims, header) => (header["alg"] = "HS256")],
    ["an unknown key", (_claims, header) => (header["kid"] = "unknown")],
    ["no subject", (claims) => delete claims["sub"]],
  ],
)("an ID token with %s", async (_what, change) => {
  const visitor = visit();
  const callback = await visitor.throughProvider("acme");
  provider.tamper = ({ header, claims }) => {
    change(claims, header);
    return { header, claims };
  };
  await expectRefused(visitor, callback, 401, "not_verified");
});

test("an ID token that was changed after it was signed", async () => {
  const visitor = visit();
  const callback = await visitor.throughProvider("acme");
  provider.spoilSignature = true;
  await expectRefused(visitor, callback, 401, "not_verified");
  provider.spoilSignature = false;
});

test("an answer that names another issuer, a made-up code, and a refusal", async () => {
  const change = async (name: string, value: string | undefined) => {
    const visitor = visit();
    const callback = await visitor.throughProvider("acme");
    if (value === undefined) callback.searchParams.delete(name);
    else callback.searchParams.set(name, value);
    return { visitor, callback };
  };
  const mixed = await change("iss", "https://evil.example");
  await expectRefused(mixed.visitor, mixed.callback, 401, "not_verified");
  const silent = await change("iss", undefined);
  await expectRefused(silent.visitor, silent.callback, 401, "not_verified");
  const forged = await change("code", "made-up");
  await expectRefused(forged.visitor, forged.callback, 401, "code_refused");
  const denied = await change("error", "access_denied");
  denied.callback.searchParams.delete("code");
  await expectRefused(denied.visitor, denied.callback, 403, "denied");
});

test("a configuration that changed, or was switched off, on the way", async () => {
  const body = { issuer: provider.issuer, client_id: "client-acme", provision: true };
  const visitor = visit();
  const callback = await visitor.throughProvider("acme");
  await server.api("PUT", "/orgs/acme/sso", { token: owner, body: { ...body, enabled: false } });
  await expectRefused(visitor, callback, 400, "configuration_changed");
  expect((await visitor.get("/login/sso/acme")).status).toBe(404);
  await server.api("PUT", "/orgs/acme/sso", { token: owner, body });
  await visitor.signIn("acme");
  expect(await visitor.whoAmI()).toBe("nina");
});

test("only verified addresses of the named domains come in, linked or not", async () => {
  const body = { issuer: provider.issuer, client_id: "client-acme", provision: true };
  const set = { ...body, email_domains: ["example.com"] };
  expect((await server.api("PUT", "/orgs/acme/sso", { token: owner, body: set })).status).toBe(200);
  for (const person of [
    {},
    { email: "nina@example.com" },
    { email: "nina@example.com", email_verified: false },
    { email: "nina@sub.example.com", email_verified: true },
    { email: "nina@example.com.evil.example", email_verified: true },
    { email: "evil.example@example.org", email_verified: true },
  ]) {
    provider.person = { sub: "nina-1", ...person };
    const visitor = visit();
    await expectRefused(visitor, await visitor.throughProvider("acme"), 403, "email_domain");
  }
  provider.person = { sub: "nina-1", email: "nina@EXAMPLE.com", email_verified: true };
  const visitor = visit();
  await visitor.signIn("acme");
  expect(await visitor.whoAmI()).toBe("nina");
  await server.api("PUT", "/orgs/acme/sso", { token: owner, body });
});

test("forms of other pages, looks at heads, and questions of other browsers", async () => {
  await signUp(server, "vera", "a very long password");
  provider.person = { sub: "vera-1" };
  const visitor = visit();
  await visitor.signIn("acme");
  const fields = { username: "vera", password: "a very long password" };
  const foreign = await visitor.submit("/login/sso-account/existing", fields, {
    origin: "https://evil.example",
  });
  expect([foreign.status, await visitor.whoAmI()]).toEqual([403, undefined]);
  const stranger = visit();
  expect((await stranger.get("/login/sso-account")).status).toBe(400);
  expect((await stranger.submit("/login/sso-account/existing", fields)).status).toBe(400);
  expect(await stranger.whoAmI()).toBeUndefined();
  for (const path of ["//login/sso/acme", "//login/sso-account"])
    expect((await server.api("HEAD", path)).status).toBe(405);
  expect((await visitor.submit("/login/sso-account/other", {})).status).toBe(404);
});

test("a secret that the provider does not take is told to people as such, and nothing secret is told to anybody", async () => {
  const wrong = "wrong-secret-0123456789";
  const body = { issuer: provider.issuer, client_id: "client-other", provision: true, client_secret: wrong };
  await server.api("PUT", "/orgs/other/sso", { token: owner, body });
  const visitor = visit();
  const answer = await visitor.signIn("other");
  expect([answer.status, answer.text.includes("Contact an owner of other")]).toEqual([503, true]);
  expect(logged.some(([facts]) => (facts as { reason?: string }).reason === "client_refused")).toBe(true);

  const shown = [
    await server.api("GET", "/orgs/acme/sso", { token: owner }),
    await server.api("GET", "/orgs/other/sso", { token: owner }),
    await server.api("GET", "/orgs/acme/audit-log?per_page=100", { token: owner }),
    await server.api("GET", "/orgs/other/audit-log?per_page=100", { token: owner }),
  ];
  const tables = await server.container.platform.db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const rows: string[] = [];
  for (const { name } of tables)
    if (name !== "schema_migrations")
      rows.push(
        JSON.stringify(await server.container.platform.db.query(`select t::text as row from "${name}" t`)),
      );
  const everything = [JSON.stringify(logged), ...shown.map(({ text }) => text), ...rows].join("\n");
  expect(everything).toContain("client-acme");
  for (const secret of [provider.clientSecret, wrong]) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(secret).toString("hex"));
    expect(everything).not.toContain(Buffer.from(secret).toString("base64").replace(/=+$/, ""));
  }
});
