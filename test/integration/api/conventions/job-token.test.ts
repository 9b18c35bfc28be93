import { afterAll, beforeAll, expect, test } from "vitest";
import { hashToken } from "@forgeline/server/features/identity/credential.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
});
afterAll(() => server.stop());

/** A leased attempt of a run of the repository, with this token. */
async function leasedAttempt(repositoryId: string, token: string): Promise<string> {
  const { db } = server.container;
  const [pipeline, stage, job, attempt] = [newId("pipe"), newId("stg"), newId("job"), newId("att")];
  await db.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, triggered_by)
     values ($1, $2, 1, '.forgeline.yml', 'api', 'refs/heads/main', 'abc', '{}', $3)`,
    [pipeline, repositoryId, ada.id],
  );
  await db.query("insert into stages (id, pipeline_id, position, name) values ($1, $2, 0, 's')", [
    stage,
    pipeline,
  ]);
  await db.query(
    `insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name) values ($1, $2, $3, $4, 0, 'j', 'j')`,
    [job, pipeline, stage, repositoryId],
  );
  await db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, labels, job, token_hash)
     values ($1, $2, $3, $4, 1, 'leased', '{}', '{}', $5)`,
    [attempt, job, pipeline, repositoryId, hashToken(token)],
  );
  return attempt;
}

test("a job's token reads its own repository, nothing else, and ends with the attempt", async () => {
  const make = (name: string) =>
    server.api("POST", "/repos", { token: ada.token, body: { name, private: true } });
  const own = await make("own");
  expect((await make("other")).status).toBe(201);
  const token = `svc_job_${"x".repeat(43)}`;
  expect((await server.api("GET", "/repos/ada/own", { token })).status).toBe(401);
  const attempt = await leasedAttempt(own.json.id as string, token);

  expect((await server.api("GET", "/repos/ada/own", { token })).status).toBe(200);
  expect((await server.api("GET", "/repos/ada/other", { token })).status).toBe(404);
  expect((await server.api("GET", "/user", { token })).status).toBe(403);
  const create = await server.api("POST", "/repos", { token, body: { name: "mine" } });
  expect(create.status).toBe(403);

  await server.container.db.query("update job_attempts set state = 'ended' where id = $1", [attempt]);
  expect((await server.api("GET", "/repos/ada/own", { token })).status).toBe(401);
});
