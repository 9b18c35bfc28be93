import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { insertLeasedAttempt } from "../../../support/leased-attempt.ts";

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
});
afterAll(() => server.stop());

test("a job's token reads its own repository, nothing else, and ends with the attempt or its user's account", async () => {
  const make = (name: string) =>
    server.api("POST", "/repos", { token: ada.token, body: { name, private: true } });
  const own = await make("own");
  expect((await make("other")).status).toBe(201);
  const token = `svc_job_${"x".repeat(43)}`;
  expect((await server.api("GET", "/repos/ada/own", { token })).status).toBe(401);
  const attempt = await insertLeasedAttempt(server.container.platform.db, {
    repositoryId: own.json.id as string,
    userId: ada.id,
    token,
  });

  expect((await server.api("GET", "/repos/ada/own", { token })).status).toBe(200);
  expect((await server.api("GET", "/repos/ada/other", { token })).status).toBe(404);
  expect((await server.api("GET", "/user", { token })).status).toBe(403);
  const create = await server.api("POST", "/repos", { token, body: { name: "mine" } });
  expect(create.status).toBe(403);

  const { db } = server.container.platform;
  const suspend = (suspended: boolean) =>
    db.query("update users set suspended = $2 where id = $1", [ada.id, suspended]);
  await suspend(true);
  expect((await server.api("GET", "/repos/ada/own", { token })).status).toBe(401);
  await suspend(false);
  expect((await server.api("GET", "/repos/ada/own", { token })).status).toBe(200);
  await db.query("update job_attempts set state = 'ended' where id = $1", [attempt]);
  expect((await server.api("GET", "/repos/ada/own", { token })).status).toBe(401);
});
