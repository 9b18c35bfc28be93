/** What owners set, who may, and what is said of providers that cannot be used. */
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { RequestListener } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { startProvider, type TestProvider } from "../../../support/oidc-provider.ts";
import { openVisitor, organizationWithSso } from "../../../support/sso.ts";

let provider: TestProvider;
let server: ApiServer;
let odd: Server;
let oddUrl: string;
let owner: string;
let root: string;
beforeAll(async () => {
  provider = await startProvider();
  server = await startApiServer({ env: { ...provider.env, FORGELINE_SIGN_UP: "closed" } });
  owner = (await server.person("olga")).token;
  root = (await server.person("root", { isAdmin: true })).token;
  odd = createServer(provider.tls, oddProvider);
  await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
  oddUrl = `https://localhost:${(odd.address() as AddressInfo).port}`;
});
afterAll(async () => {
  odd.closeAllConnections();
  odd.close();
  await server.stop();
  await provider.stop();
});

const put = (org: string, token: string, body: Record<string, unknown>) =>
  server.api("PUT", `/orgs/${org}/sso`, { token, body });

/** One issuer for each way to be of no use, named by its path. */
const oddProvider: RequestListener = (req, res) => {
  const [, kind = ""] = (req.url ?? "").split("/");
  const issuer = `${oddUrl}/${kind}`;
  const good = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
  };
  const changed: Record<string, object | undefined> = {
    other: { issuer: `${oddUrl}/else` },
    plain: { token_endpoint: `http://localhost/token` },
    inside: { jwks_uri: "https://10.0.0.1/jwks" },
    implicit: { response_types_supported: ["id_token"] },
    jwtonly: { token_endpoint_auth_methods_supported: ["private_key_jwt"] },
    symmetric: { id_token_signing_alg_values_supported: ["HS256", "none"] },
  };
  const json = (value: unknown) =>
    res.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
  if (kind === "missing") res.writeHead(404).end();
  else if (kind === "moved") res.writeHead(302, { Location: `${provider.issuer}/x` }).end();
  else if (kind === "text") res.setHeader("Content-Type", "text/html").end("<p>hello");
  else if (kind === "broken") res.setHeader("Content-Type", "application/json").end("{");
  else if (kind === "array") json([]);
  else if (kind === "huge") json({ ...good, more: "x".repeat(300_000) });
  else if (kind === "packed") res.setHeader("Content-Encoding", "gzip").end("x");
  else if (kind === "cut") res.socket?.destroy();
  else if (req.url?.endsWith("/jwks"))
    json(kind === "good" ? { keys: [{ kty: "RSA" }] } : kind === "keyless" ? { keys: [] } : "none");
  else json({ ...good, ...changed[kind] });
};

test("owners set, read, change and remove it; nobody else knows of it", async () => {
  const set = await organizationWithSso(server, provider, { name: "Acme", token: owner });
  const { json } = set;
  expect(json).toMatchObject({
    issuer: provider.issuer,
    client_id: "client-Acme",
    email_domains: [],
    provision: false,
    enabled: true,
    sign_in_url: `${server.webUrl}/login/sso/Acme`,
  });
  expect(Object.keys(json).filter((name) => name.includes("secret"))).toEqual([]);
  expect((await server.api("GET", "/orgs/acme/sso", { token: owner })).json).toEqual(json);

  const member = await server.person("mia");
  await server.api("PUT", "/orgs/acme/members/mia", { token: owner, body: {} });
  const outsider = await server.person("otto");
  const narrow = await server.tokenFor(member, ["org:read"]);
  for (const [method, path] of [
    ["GET", "/orgs/acme/sso"],
    ["PUT", "/orgs/acme/sso"],
    ["DELETE", "/orgs/acme/sso"],
    ["GET", "/orgs/acme/sso/identities"],
    ["DELETE", "/orgs/acme/sso/identities/idn_01jbcdefghjkmnpqrstvwxyz00"],
  ] as const) {
    const status = async (token?: string) =>
      (
        await server.api(method, path, {
          ...(token === undefined ? {} : { token }),
          ...(method === "PUT" ? { body: json } : {}),
        })
      ).status;
    expect([method, path, await status(member.token)]).toEqual([method, path, 403]);
    expect([method, path, await status(outsider.token)]).toEqual([method, path, 404]);
    expect([method, path, await status(narrow)]).toEqual([method, path, 403]);
    expect([method, path, await status()]).toEqual([method, path, 401]);
  }

  const kept = await put("acme", owner, {
    issuer: provider.issuer,
    client_id: "client-Acme",
    email_domains: ["example.com", "example.com"],
    enabled: false,
  });
  expect(kept.json).toMatchObject({ id: json.id, email_domains: ["example.com"], enabled: false });
  expect((await server.api("DELETE", "/orgs/acme/sso", { token: owner })).status).toBe(204);
  expect((await server.api("DELETE", "/orgs/acme/sso", { token: owner })).status).toBe(404);
  expect((await server.api("GET", "/orgs/acme/sso", { token: owner })).status).toBe(404);
  const audit = await server.api("GET", "/orgs/acme/audit-log?action=org.sso_configure", { token: owner });
  expect(audit.json.map((entry: { details: object }) => entry.details)).toMatchObject([
    { change: "removed", issuer: provider.issuer, identities_removed: 0 },
    { change: "changed", enabled: false, client_secret_changed: false },
    { change: "created", client_id: "client-Acme", client_secret_changed: true },
  ]);
  expect(audit.text).not.toContain(provider.clientSecret);
});

test("the secret goes with its issuer and client", async () => {
  await organizationWithSso(server, provider, { name: "secret", token: owner });
  const same = { issuer: provider.issuer, client_id: "client-secret" };
  expect((await put("secret", owner, same)).status).toBe(200);
  const other = await put("secret", owner, { ...same, client_id: "another" });
  expect([other.status, other.json.errors]).toMatchObject([
    422,
    [{ field: "client_secret", code: "required" }],
  ]);
  await server.api("POST", "/orgs", { token: owner, body: { name: "fresh" } });
  expect((await put("fresh", owner, same)).json.errors).toMatchObject([{ field: "client_secret" }]);
});

test.each([
  ["missing", "has no configuration"],
  ["moved", "has no configuration"],
  ["text", "not JSON"],
  ["broken", "not JSON"],
  ["array", "not a provider configuration"],
  ["other", "names another issuer"],
  ["huge", "too large"],
  ["packed", "compressed"],
  ["cut", "could not be reached"],
  ["plain", "token_endpoint"],
  ["inside", "10.0.0.1 has no public address"],
  ["implicit", "authorization code"],
  ["jwtonly", "client_secret_basic"],
  ["symmetric", "public-key algorithm"],
  ["keyless", "returns no keys"],
  ["nokeys", "returns no keys"],
])("a provider whose configuration is of no use (%s) is refused with what is wrong", async (kind, words) => {
  await server.api("POST", "/orgs", { token: owner, body: { name: "odd" } });
  const answer = await put("odd", owner, { issuer: `${oddUrl}/${kind}`, client_id: "x", client_secret: "y" });
  expect([answer.status, answer.json.errors?.[0]?.field]).toEqual([422, "issuer"]);
  expect(answer.json.errors[0].message).toContain(words);
  expect((await server.api("GET", "/orgs/odd/sso", { token: owner })).status).toBe(404);
});

test("other fields are judged before anybody is called", async () => {
  await server.api("POST", "/orgs", { token: owner, body: { name: "fields" } });
  const good = { issuer: provider.issuer, client_id: "x", client_secret: "y" };
  for (const [field, value] of [
    ["issuer", "http://localhost"],
    ["issuer", "https://user:password@localhost"],
    ["issuer", "https://localhost/?a"],
    ["issuer", "https://localhost/#a"],
    ["issuer", "ftp://localhost"],
    ["issuer", "https://a b"],
    ["issuer", "https://\u00eb"],
    ["issuer", "https://999.999.999.999:99999"],
    ["issuer", ""],
    ["client_id", ""],
    ["client_id", "a b"],
    ["client_secret", ""],
    ["client_secret", "\u0000"],
    ["email_domains", ["EXAMPLE.com"]],
    ["email_domains", ["@example.com"]],
    ["email_domains", ["localhost"]],
    ["provision", "yes"],
    ["unknown", 1],
  ] as const) {
    const answer = await put("fields", owner, { ...good, [field]: value });
    const named = answer.json.errors?.[0]?.field as string | undefined;
    expect([field, value, answer.status, named?.startsWith(field)]).toEqual([field, value, 422, true]);
  }
});

test("where sign-up is closed, an administrator decides about new accounts; an issuer for everybody needs domains", async () => {
  await organizationWithSso(server, provider, { name: "strict", token: owner });
  const body = { issuer: provider.issuer, client_id: "client-strict", provision: true };
  expect((await put("strict", owner, body)).json.errors).toMatchObject([
    { field: "provision", code: "not_allowed" },
  ]);
  expect((await put("strict", root, body)).json).toMatchObject({ provision: true });
  // Owners may go on changing the rest.
  expect((await put("strict", owner, { ...body, email_domains: [] })).status).toBe(200);
  provider.person = { sub: "pia", preferred_username: "pia" };
  const visitor = openVisitor(server, provider);
  await visitor.signIn("strict");
  await visitor.submit("/login/sso-account/new", { username: "pia" });
  expect(await visitor.whoAmI()).toBe("pia");
  // Once off, it is for the administrator to turn on again.
  await put("strict", owner, { ...body, provision: false });
  expect((await put("strict", owner, body)).status).toBe(422);

  const google = { ...body, issuer: "https://accounts.google.com", client_secret: "x" };
  expect((await put("strict", root, google)).json.errors).toMatchObject([
    { field: "email_domains", code: "required" },
  ]);
});

test("another issuer parts everybody from the one before", async () => {
  await organizationWithSso(server, provider, { name: "moving", token: root, body: { provision: true } });
  provider.person = { sub: "mona" };
  const visitor = openVisitor(server, provider);
  await visitor.signIn("moving");
  await visitor.submit("/login/sso-account/new", { username: "mona" });
  expect(await visitor.whoAmI()).toBe("mona");
  const second = await startProvider();
  try {
    // Known to this server by the authority of the first only.
    const body = { issuer: second.issuer, client_id: "client-moving", client_secret: "x" };
    const untrusted = await put("moving", root, body);
    expect(untrusted.json.errors[0].message).toContain("certificate");
  } finally {
    await second.stop();
  }
  expect(await visitor.whoAmI()).toBe("mona");
  const issuer = `${oddUrl}/good`;
  const moved = await put("moving", root, { issuer, client_id: "x", client_secret: "x" });
  expect(moved.status).toBe(200);
  expect(await visitor.whoAmI()).toBeUndefined();
  expect((await server.api("GET", "/orgs/moving/sso/identities", { token: root })).json).toEqual([]);
});
