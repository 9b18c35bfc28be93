/** A person gives up the runner of a job. What the workflow then decides is `test/integration/workflows`' to prove. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { planJob, planOf } from "../../../support/runs.ts";
import { runInRows } from "../../../support/web/run-in-rows.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  // What the workflow is told stays to be read; there is none to take it.
  await server.container.platform.outbox.stop();
  [ada, ben] = await Promise.all([server.person("ada"), server.person("ben")]);
});
afterAll(() => server?.stop());

const post = (path: string, token: string) => server.api("POST", path, { token, body: {} });

it("ends the attempt of a silent runner, once, and of no other", async () => {
  const { db } = server.container.platform;
  const run = await runInRows(server, ada, {
    name: "lost",
    plan: planOf([planJob({ key: "ship" }), planJob({ key: "idle" })]),
  });
  await run.begin("ship", ["deploy"]);
  const jobs = (await server.api("GET", "/repos/ada/lost/pipelines/1/jobs", { token: ada.token })).json as {
    id: string;
    key: string;
  }[];
  const path = (key: string) =>
    `/repos/ada/lost/pipelines/1/jobs/${jobs.find((job) => job.key === key)?.id ?? ""}/lost`;

  expect(await post(path("idle"), ada.token)).toMatchObject({ status: 409 });
  const answering = await post(path("ship"), ada.token);
  expect(answering).toMatchObject({ status: 409 });
  expect(answering.text).toContain("The runner of the job answers");

  await db.query("update job_attempts set unreachable = true, epoch = 3 where pipeline_id = $1", [run.id]);
  expect((await post(path("ship"), ben.token)).status).toBe(404);
  const lost = await post(path("ship"), ada.token);
  expect(lost.status).toBe(202);
  expect(lost.json).toMatchObject({
    key: "ship",
    attempts: [
      {
        status: "error",
        reason: "runner_lost",
        message: "The runner stopped answering, and ada declared the job lost.",
        unreachable: false,
        steps: [{ status: "error", reason: "runner_lost" }],
      },
    ],
  });
  expect(await db.query("select state, epoch from job_attempts where pipeline_id = $1", [run.id])).toEqual([
    { state: "ended", epoch: 4 },
  ]);
  const facts = await db.query(
    "select payload -> 'fact' ->> 'kind' as kind from outbox where payload ->> 'kind' = 'attempt_fact'",
  );
  expect(facts).toEqual([{ kind: "reclaimed" }]);
  expect(await post(path("ship"), ada.token)).toMatchObject({ status: 409 });

  const events = (await server.api("GET", "/repos/ada/lost/pipelines/1/events", { token: ada.token }))
    .json as object[];
  expect(events).toContainEqual(
    expect.objectContaining({ node: "attempt", new_status: "error", reason: "runner_lost", actor: "ada" }),
  );
});

it("knows no job of another run", async () => {
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) => runInRows(server, ada, { name, plan: planOf([planJob({ key: "a" })]) })),
  );
  const { db } = server.container.platform;
  const job = await db.one<{ id: string }>("select id from jobs where pipeline_id = $1", [two?.id]);
  expect(one).toBeDefined();
  expect((await post(`/repos/ada/one/pipelines/1/jobs/${job?.id ?? ""}/lost`, ada.token)).status).toBe(404);
});
