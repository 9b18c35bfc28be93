/** Whoever guesses secrets at the OAuth endpoints has ten tries a minute. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { askToken, registerApp, sendForm } from "../../../support/oauth.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_LIMIT_AUTH: "10" } });
});
afterAll(() => server.stop());

test("the token endpoint, revocation and signing in count together, and refuse in the words of both", async () => {
  const maker = await server.person("maker");
  const app = await registerApp(server, maker.token);
  const tries = [
    ...Array.from(
      { length: 4 },
      () => () => askToken(server, { ...app, client_secret: "guess" }, { code: "x" }),
    ),
    ...Array.from({ length: 3 }, () => () => sendForm(server, "/oauth/revoke", { token: "x" })),
    ...Array.from({ length: 3 }, () => () => sendForm(server, "/oauth/sign-in", { username: "maker" })),
  ];
  for (const [at, attempt] of tries.entries()) {
    const answer = await attempt();
    expect([answer.headers["x-ratelimit-resource"], answer.headers["x-ratelimit-remaining"]]).toEqual([
      "auth",
      String(9 - at),
    ]);
    expect([400, 401]).toContain(answer.status);
  }
  const refused = await askToken(server, app, { code: "x" });
  expect([refused.status, refused.json.error]).toEqual([429, "rate_limit_exceeded"]);
  expect(refused.json.error_description).toBe(refused.json.message);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  const page = await sendForm(server, "/oauth/sign-in", { username: "maker" });
  expect([page.status, page.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
  // Nobody who is signed in elsewhere suffers.
  expect((await server.api("GET", "/user", { token: maker.token })).status).toBe(200);
});
