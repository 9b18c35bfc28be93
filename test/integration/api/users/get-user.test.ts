import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

test("shows the authenticated user, the same with Bearer and Basic", async () => {
  const ada = await server.person("ada");
  const answer = await server.api("GET", "/user", { token: ada.token });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({
    id: ada.id,
    username: "ada",
    type: "user",
    plan: "enterprise",
    two_factor_enabled: false,
    url: `${server.baseUrl}/user`,
  });
  const basic = Buffer.from(`whoever:${ada.token}`).toString("base64");
  const same = await server.api("GET", "/user", { headers: { Authorization: `Basic ${basic}` } });
  expect(same.json).toEqual(answer.json);
});

test("refuses without a token, with a wrong one, and with one in the address", async () => {
  const eve = await server.person("eve");
  const body = { error: "unauthorized", documentation_url: `${server.webUrl}/docs/errors#unauthorized` };
  for (const [path, token] of [
    ["/user", undefined],
    ["/user", `${eve.token.slice(0, -1)}x`],
    ["/user", `svc_pat_${"A".repeat(43)}00000000`],
    [`/user?access_token=${eve.token}`, undefined],
    [`/user?x=${eve.token}`, eve.token],
  ] as const) {
    const answer = await server.api("GET", path, token === undefined ? {} : { token });
    expect([path, answer.status]).toEqual([path, 401]);
    expect(answer.json).toMatchObject(body);
  }
});

test("names the scope that a token lacks", async () => {
  const bob = await server.person("bob", { scopes: ["repo:read"] });
  const answer = await server.api("GET", "/user", { token: bob.token });
  expect(answer.status).toBe(403);
  expect(answer.json).toMatchObject({ error: "insufficient_scope", required_scopes: ["user:read"] });
});

test("the picture of a user opens, for any identifier alike", async () => {
  const lea = await server.person("lea");
  const { json } = await server.api("GET", "/user", { token: lea.token });
  const picture = await server.api("GET", `/${String(json.avatar_url).slice(server.webUrl.length)}`);
  expect(picture).toMatchObject({ status: 200, headers: { "content-type": "image/svg+xml" } });
  expect((await server.api("GET", "//avatars/usr_01jbcdefghjkmnpqrstvwxyz00")).status).toBe(200);
  expect((await server.api("GET", "//avatars/x")).status).toBe(404);
});
