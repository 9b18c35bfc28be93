/** Pipelines that a job starts by REST, with its own token: linked to it, and bounded as what `trigger` starts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { insertLeasedAttempt, type LeasedAttempt } from "../../../support/leased-attempt.ts";

let server: ApiServer;
let ada: TestPerson;
let repositoryId: string;
let leases = 0;
const here = "/repos/ada/starts";

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  const made = await server.api("POST", "/repos", { token: ada.token, body: { name: "starts" } });
  repositoryId = made.json.id;
  const content = Buffer.from("on: [api, manual]\nimage: a\nsteps: ['true']\n").toString("base64");
  const file = { message: "pipeline", content, branch: "main" };
  await server.api("PUT", `${here}/contents/.forgeline.yml`, { token: ada.token, body: file });
});
afterAll(() => server.stop());

async function lease(more: Partial<LeasedAttempt> = {}) {
  leases += 1;
  const token = `svc_job_${String(leases).padStart(43, "p")}`;
  const permissions = ["pipeline:write"] as const;
  const leased = { repositoryId, userId: ada.id, token, permissions, number: 2000 + leases, ...more };
  const attemptId = await insertLeasedAttempt(server.container.platform.db, leased);
  return { token, attemptId, number: 2000 + leases };
}
const start = (token: string) => server.api("POST", `${here}/pipelines`, { token, body: { ref: "main" } });
const ofRun = (attemptId: string, what: string) =>
  server.container.platform.db.query(
    `update pipelines set ${what} where id = (select pipeline_id from job_attempts where id = $1)`,
    [attemptId],
  );

test("the run belongs to that of the job, and the audit log names the job", async () => {
  const { token, number } = await lease();
  const { status, json } = await start(token);
  expect(status).toBe(201);
  expect(json).toMatchObject({ source: "api", triggered_by: { username: "ada" }, parent: { number } });
  const entry = await server.container.platform.db.one<{
    actor_id: string | null;
    actor_username: string;
    details: object;
  }>(
    "select actor_id, actor_username, details from audit_log where action = 'pipeline.trigger' and target_id = $1",
    [json.id],
  );
  expect(entry).toMatchObject({
    actor_id: null,
    actor_username: `job j of ada/starts#${number}`,
    details: { job: { started_by: "ada" }, parent: expect.stringMatching(/^pipe_/) },
  });
  await expect(
    server.api("POST", `${here}/pipelines/${json.id}/cancel`, { token, body: {} }),
  ).resolves.toMatchObject({
    status: 403,
  });
});

test("without the scope it is refused, with a word on where to ask for it", async () => {
  const { token } = await lease({ permissions: ["pipeline:read"] });
  expect((await server.api("GET", `${here}/pipelines`, { token })).status).toBe(200);
  expect((await start(token)).json).toMatchObject({
    error: "insufficient_scope",
    message: "The token lacks the scope pipeline:write. `permissions` of the job can list it.",
  });
});

test("runs cannot start each other without end", async () => {
  const { token, attemptId } = await lease();
  await ofRun(attemptId, "depth = 4");
  expect((await start(token)).json).toMatchObject({
    error: "conflict",
    message: "Pipelines can start each other 4 levels deep at most, and this one is at the last.",
  });
  const again = await lease();
  const { sha } = (await start(again.token)).json;
  await ofRun(again.attemptId, `sha = '${sha}', inputs = '{}'`);
  expect((await start(again.token)).json).toMatchObject({
    error: "conflict",
    message: expect.stringContaining("A loop"),
  });
  const figures = await server.container.platform.metrics.metrics();
  expect(figures).toContain('forgeline_child_pipelines_total{outcome="refused",way="token"} 2\n');
  expect(figures).toMatch(/forgeline_child_pipelines_total\{outcome="started",way="token"\} [1-9]/);
});

test("what comes from a fork stays what it is", async () => {
  const { token, attemptId } = await lease();
  await ofRun(attemptId, "trust = 'fork'");
  const { id } = (await start(token)).json;
  const run = await server.container.platform.db.one(
    "select trust, depth, starts_elsewhere from pipelines where id = $1",
    [id],
  );
  expect(run).toMatchObject({ trust: "fork", depth: 1, starts_elsewhere: false });
});
