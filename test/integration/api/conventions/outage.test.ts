import { afterAll, beforeAll, expect, test } from "vitest";
import { newAccessToken } from "@forgeline/server/platform/credentials/credential.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  // Nothing listens on port 1.
  server = await startApiServer({ env: { FORGELINE_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" } });
});
afterAll(() => server.stop());

test("without its database the server says 503 and when to come again, and stays alive", async () => {
  const answer = await server.api("GET", "/user", { token: newAccessToken("pat") });
  expect(answer).toMatchObject({
    status: 503,
    headers: { "retry-after": "2" },
    json: { error: "unavailable", request_id: answer.headers["x-request-id"] },
  });
  expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN/);
  const ready = await server.api("GET", "//readyz");
  expect(ready).toMatchObject({
    status: 503,
    json: { status: "unavailable", checks: { postgresql: "failed" } },
  });
  expect((await server.api("GET", "//healthz")).status).toBe(200);
  expect((await server.api("GET", "/openapi.json")).status).toBe(200);
});

test("without Temporal background work is not told, and the server says so", async () => {
  const away = await startApiServer({ env: { TEMPORAL_ADDRESS: "127.0.0.1:1" } });
  try {
    const { token } = await away.person("root", { isAdmin: true });
    const paths = ["/admin/work", "/admin/work/overview", "/admin/work/x"];
    for (const answer of await Promise.all(paths.map((path) => away.api("GET", path, { token }))))
      expect(answer).toMatchObject({
        status: 503,
        json: {
          error: "unavailable",
          message: "Temporal is not responding; background work is paused until it is back.",
        },
      });
  } finally {
    await away.stop();
  }
});
