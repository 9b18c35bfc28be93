/** A client library that is not ours goes the whole way: `oauth4webapi`, strict about every answer. */
import * as oauth from "oauth4webapi";
import { Agent, fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { ask, decide, redirectTarget, registerApp, signedIn, type SignedIn } from "../../../support/oauth.ts";

let server: ApiServer;
let person: SignedIn;
let maker: string;
let agent: Agent;
beforeAll(async () => {
  server = await startApiServer();
  maker = (await server.person("maker")).token;
  person = await signedIn(server, "ada");
  agent = new Agent({ connect: { ca: server.ca } });
});
afterAll(async () => {
  await agent.close();
  await server.stop();
});

/** Its requests, by a client that trusts the test's authority. */
const options = {
  [oauth.customFetch]: (url: string, init: object) =>
    undiciFetch(url, { ...init, dispatcher: agent }) as unknown as Promise<Response>,
};

const redirectUri = "http://127.0.0.1:4711/callback";

async function discovered(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(server.webUrl);
  const answer = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options });
  return oauth.processDiscoveryResponse(issuer, answer);
}

/** From the request to the address that the browser comes back to. */
async function agreed(as: oauth.AuthorizationServer, client: oauth.Client, verifier: string, state: string) {
  const url = new URL(as.authorization_endpoint ?? "");
  url.searchParams.set("client_id", client.client_id);
  url.searchParams.set("redirect_uri", redirectUri);
  url.searchParams.set("response_type", "code");
  url.searchParams.set("scope", "repo:read user:read");
  url.searchParams.set("state", state);
  url.searchParams.set("code_challenge", await oauth.calculatePKCECodeChallenge(verifier));
  url.searchParams.set("code_challenge_method", "S256");
  const query = Object.fromEntries(url.searchParams);
  expect((await ask(server, query)).status).toBe(200);
  return redirectTarget(await decide(server, person, query));
}

test.each([
  ["a confidential app with Basic", true, oauth.ClientSecretBasic],
  ["a confidential app with a form", true, oauth.ClientSecretPost],
  ["a public app", false, () => oauth.None()],
] as const)("%s: discovery, consent, code, use, refresh, revocation", async (_what, confidential, proof) => {
  const app = await registerApp(server, maker, { confidential, redirect_uris: [redirectUri] });
  const as = await discovered();
  const client: oauth.Client = { client_id: app.client_id };
  const auth = proof(app.client_secret ?? "");
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const params = oauth.validateAuthResponse(as, client, await agreed(as, client, verifier, state), state);
  const given = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, auth, params, redirectUri, verifier, options),
  );
  expect(given).toMatchObject({ token_type: "bearer", expires_in: 28800, scope: "repo:read,user:read" });

  const user = await oauth.protectedResourceRequest(
    given.access_token,
    "GET",
    new URL(`${server.baseUrl}/user`),
    undefined,
    undefined,
    options,
  );
  expect(await user.json()).toMatchObject({ username: "ada" });

  const refresh = () => oauth.refreshTokenGrantRequest(as, client, auth, given.refresh_token ?? "", options);
  const renewed = await oauth.processRefreshTokenResponse(as, client, await refresh());
  expect(renewed.refresh_token).not.toBe(given.refresh_token);

  const revocation = await oauth.revocationRequest(as, client, auth, renewed.refresh_token ?? "", options);
  await oauth.processRevocationResponse(revocation);
  await expect(oauth.processRefreshTokenResponse(as, client, await refresh())).rejects.toMatchObject({
    name: "ResponseBodyError",
    error: "invalid_grant",
    status: 400,
  });
});

test("it understands a denial", async () => {
  const app = await registerApp(server, maker, { redirect_uris: [redirectUri] });
  const as = await discovered();
  const query = { client_id: app.client_id, redirect_uri: redirectUri, scope: "repo:read", state: "s" };
  const back = redirectTarget(await decide(server, person, query, "deny"));
  expect(() => oauth.validateAuthResponse(as, { client_id: app.client_id }, back, "s")).toThrow(
    oauth.AuthorizationResponseError,
  );
});

test("the server tells what it can in its metadata", async () => {
  const answer = await server.api("GET", "//.well-known/oauth-authorization-server");
  expect(answer.json).toMatchObject({
    issuer: server.webUrl,
    authorization_endpoint: `${server.webUrl}/oauth/authorize`,
    token_endpoint: `${server.webUrl}/oauth/token`,
    revocation_endpoint: `${server.webUrl}/oauth/revoke`,
    code_challenge_methods_supported: ["S256"],
  });
  expect(answer.json.scopes_supported).toHaveLength(16);
});
