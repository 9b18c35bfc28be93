/** Runs over REST and by push: trigger, read, cancel, rerun, lint, plan, and who may. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import "../../../support/quiet-temporal.ts";
import { createWorkflowWorker, type WorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { bundleCache } from "../../../support/bundle-cache.ts";
import { eventually } from "../../../support/eventually.ts";
import { lockWait } from "../../../support/lock-wait.ts";
import { failedResult, handRunner, runIs } from "../../../support/runs.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

const file = `
stages: [build, test]
jobs:
  compile:
    stage: build
    image: busybox
    steps: ["true"]
  unit:
    stage: test
    image: busybox
    steps: ["true"]
  nightly:
    stage: test
    when: { branch: never }
    image: busybox
    steps: ["true"]
`;

let server: ApiServer;
let git: GitClient;
let worker: WorkflowWorker;
let running: Promise<void>;
let ada: TestPerson;
let bob: TestPerson;
let made = 0;

beforeAll(async () => {
  const taskQueue = `test-api-${process.pid}`;
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: taskQueue } });
  [git, ada, bob] = await Promise.all([
    createGitClient(server.caFile),
    server.person("ada"),
    server.person("bob"),
  ]);
  const { address } = server.config.temporal;
  const bundle = await workflowBundle(bundleCache);
  worker = await createWorkflowWorker({
    address,
    taskQueue,
    bundle,
    services: {
      runs: server.container.pipelines.runs,
      ...server.container.upkeep,
      statistics: server.container.hosting.statistics,
    },
  });
  running = worker.run();
});
afterAll(async () => {
  worker?.shutdown();
  await running;
  await git?.remove();
  await server?.stop();
});

/** A repository to which a commit with this pipeline file was pushed. */
async function pushed(text: string | null, extra: { visibility?: string; message?: string } = {}) {
  const name = `p${made++}`;
  const { visibility = "private", message = "add" } = extra;
  const answer = await server.api("POST", "/repos", { token: ada.token, body: { name, visibility } });
  expect(answer.status).toBe(201);
  const tree = await git.workTree();
  if (text !== null) await writeFile(join(tree, ".forgeline.yml"), text);
  await writeFile(join(tree, "other"), "1");
  await git.ok(["add", "-A"], { cwd: tree });
  await git.ok(["commit", "-q", "-m", message], { cwd: tree });
  await git.ok(["push", "-q", addressWithToken(server.webUrl, `ada/${name}`, ada.token), "HEAD:main"], {
    cwd: tree,
  });
  const path = `/repos/ada/${name}/pipelines`;
  return {
    path,
    get: (rest = "", token: string | undefined = ada.token) =>
      server.api("GET", `${path}${rest}`, token ? { token } : {}),
    post: (rest: string, body: unknown = {}, token = ada.token) =>
      server.api("POST", `${path}${rest}`, { token, body }),
  };
}
const { stringify } = JSON;
const fieldsOf = (answer: { json: { errors: { field: string }[] } }) =>
  answer.json.errors.map((error) => error.field);

describe("a push", () => {
  it("makes a run, which is shown with stages, jobs, attempts, steps and reasons", async () => {
    const repository = await pushed(file);
    const list = await repository.get("");
    expect(list.json).toMatchObject([
      { number: 1, source: "push", ref: "refs/heads/main", pipeline: ".forgeline.yml" },
    ]);
    const { id } = list.json[0];
    const runner = handRunner(server.container.platform.db, id);
    const queued = await eventually(async () => {
      const { json } = await repository.get("/1");
      return json.stages[0].jobs[0].status === "queued" && json;
    });
    expect(queued.stages[0].jobs[0]).toMatchObject({
      key: "compile",
      reason: "no_matching_runner",
      attempts: [{ attempt: 1, status: "queued", steps: [{ position: 0, status: "created" }] }],
    });
    expect(queued.stages[1].jobs[0]).toMatchObject({ status: "waiting", reason: "stage_order" });
    await runner.run("compile");
    await runner.run("unit", failedResult);
    await runIs(server.container.platform.db, id, "failed");
    const { json } = await repository.get(`/${id}`);
    expect(json).toMatchObject({
      status: "failed",
      reason: "exit:1",
      stages: [{ status: "success" }, { status: "failed" }],
    });
    expect(json.stages[1].jobs[1]).toMatchObject({ status: "skipped", reason: "when:branch: never" });
    const events = await repository.get("/1/events?per_page=100");
    expect(events.json[0]).toMatchObject({
      node: "pipeline",
      old_status: null,
      new_status: "created",
      actor: "ada",
    });
    expect(events.json.at(-1)).toMatchObject({ node: "pipeline", new_status: "failed" });
  });

  it("of a broken file makes a run that shows the error", async () => {
    const repository = await pushed("jobs: { a: { steps: [x], needs: [b], image: y } }\n");
    const { json } = await repository.get("/1");
    expect(json).toMatchObject({ status: "error", reason: "config", stages: [] });
    expect(json.error.diagnostics[0]).toMatchObject({ severity: "error", file: ".forgeline.yml", line: 1 });
    expect(json.error.message).toMatch(/^\.forgeline\.yml:1:\d+: /);
    const others = await pushed("on: [manual, api]\njobs: { a: { steps: [x], needs: [b], image: y } }\n");
    expect((await others.get("")).json).toEqual([]);
  });

  it("with [skip ci] leaves a skipped record", async () => {
    const repository = await pushed(file, { message: "x [skip ci]" });
    expect((await repository.get("/1")).json).toMatchObject({
      status: "skipped",
      reason: "skip_ci",
      stages: [],
    });
  });
});

describe("POST pipelines", () => {
  it("makes a run of the default branch, with an audit entry", async () => {
    const repository = await pushed(file);
    const answer = await repository.post("", { variables: { LEVEL: "high" } });
    expect(answer.status).toBe(201);
    expect(answer.headers["location"]).toBe(answer.json.url);
    expect(answer.json).toMatchObject({
      number: 2,
      source: "api",
      variables: ["LEVEL"],
      triggered_by: { username: "ada" },
    });
    const audit = await server.container.platform.db.query(
      "select action from audit_log where target_id = $1",
      [answer.json.id],
    );
    expect(audit).toEqual([{ action: "pipeline.trigger" }]);
  });

  it("names what is wrong with the request", async () => {
    const repository = await pushed(file);
    const wrong = [{ ref: "absent" }, { pipeline: "absent" }, { inputs: { x: "1" } }, { nonsense: 1 }];
    const answers = await Promise.all(wrong.map((body) => repository.post("", body)));
    expect(answers.map((answer) => [answer.status, ...fieldsOf(answer)])).toEqual([
      [422, "ref"],
      [422, "pipeline"],
      [422, "inputs.x"],
      [422, "nonsense"],
    ]);
    const none = await pushed(null);
    const answer = await none.post("");
    expect([answer.status, stringify(answer.json)]).toEqual([
      422,
      expect.stringContaining("no .forgeline.yml"),
    ]);
  });
});

describe("cancel and rerun", () => {
  it("cancels what goes on and runs again what is over", async () => {
    const repository = await pushed(file);
    const { id } = (await repository.get("/1")).json;
    expect((await repository.post("/1/rerun", { from: "all" })).status).toBe(409);
    expect((await repository.post("/1/cancel")).status).toBe(202);
    expect(await runIs(server.container.platform.db, id, "cancelled")).toMatchObject({ reason: "user:ada" });
    expect((await repository.post("/1/cancel")).status).toBe(409);
    expect((await repository.post("/1/rerun", { from: "stage:absent" })).status).toBe(422);
    const again = await repository.post("/1/rerun", { from: "all" });
    expect([again.status, again.json.sequence]).toEqual([202, 2]);
    const runner = handRunner(server.container.platform.db, id);
    for (const key of ["compile", "unit"]) await runner.run(key);
    await runIs(server.container.platform.db, id, "success");
  });
});

describe("reading", () => {
  it("answers 304 while nothing has changed, and filters and pages the list", async () => {
    const repository = await pushed(file);
    await repository.post("/1/cancel");
    const { id } = (await repository.get("/1")).json;
    await runIs(server.container.platform.db, id, "cancelled");
    const first = await repository.get("/1");
    const headers = { "If-None-Match": first.headers["etag"] ?? "" };
    const second = await server.api("GET", `${repository.path}/1`, { token: ada.token, headers });
    expect(second.status).toBe(304);
    const found = async (queries: string[]) =>
      Promise.all(
        queries.map(async (query) => {
          const { json, headers } = await repository.get(`?${query}`);
          return `${query}: ${json.length} of ${String(headers["x-total-count"])}`;
        }),
      );
    const same = [
      "status=cancelled",
      "ref=main",
      "ref=refs/heads/main",
      "event=push",
      "actor=ADA",
      "pipeline=.forgeline.yml",
      `sha=${first.json.sha}`,
      "since=2020-01-01T00:00:00.000Z",
    ];
    expect(await found(same)).toEqual(same.map((query) => `${query}: 1 of 1`));
    const other = [
      "status=success",
      "ref=other",
      "ref=refs/tags/main",
      "event=tag",
      "actor=bob",
      "pipeline=other",
      `sha=${"0".repeat(40)}`,
      "since=2100-01-01T00:00:00.000Z",
    ];
    expect(await found(other)).toEqual(other.map((query) => `${query}: 0 of 0`));
    expect((await repository.get("?status=nonsense")).status).toBe(400);
    expect((await repository.get("/99")).status).toBe(404);
  });

  it("shows a reason with whatever it says is queued, also when that changes while it is read", async () => {
    const { db } = server.container.platform;
    const repository = await pushed(file);
    const firstJob = async () => (await repository.get("/1")).json.stages[0].jobs[0];
    await eventually(async () => (await firstJob()).status === "queued");
    const put = "update job_attempts set state = $2 where pipeline_id = $1";
    const { id } = (await repository.get("/1")).json;
    await db.query(put, [id, "leased"]);
    let read: ReturnType<typeof firstJob> | undefined;
    await db.transaction(async (tx) => {
      await tx.query("lock table stages in access exclusive mode");
      read = firstJob();
      await lockWait(db);
      await tx.query(put, [id, "queued"]);
    });
    expect(await read).toMatchObject({ status: "queued", reason: "no_matching_runner" });
  });

  it("is open to everyone on public repositories only, and changing needs Write and the scope", async () => {
    const open = await pushed(file, { visibility: "public" });
    const hidden = await pushed(file);
    expect((await server.api("GET", `${open.path}/1`)).status).toBe(200);
    expect((await server.api("GET", `${hidden.path}/1`)).status).toBe(404);
    expect((await hidden.get("/1", bob.token)).status).toBe(404);
    expect((await open.post("", {}, bob.token)).status).toBe(403);
    const reader = await server.tokenFor(ada, ["pipeline:read"]);
    const refused = await open.post("/1/cancel", {}, reader);
    expect([refused.status, refused.json.error]).toEqual([403, "insufficient_scope"]);
    expect((await server.api("POST", open.path, { body: {} })).status).toBe(401);
  });
});

describe("lint and plan", () => {
  it("tell what is wrong, and what would run", async () => {
    const repository = await pushed(file);
    expect((await repository.post("/lint", { content: file })).json).toMatchObject({ valid: true });
    const bad = await repository.post("/lint", { content: "jobs: 1" });
    expect(bad.json).toMatchObject({ valid: false, diagnostics: [{ severity: "error" }] });
    const plan = await repository.post("/plan", { event: "push" });
    expect(plan.json.nodes.filter((node: { node: string }) => node.node === "job")).toMatchObject([
      { name: "compile", runs: true },
      { name: "unit", runs: true },
      { name: "nightly", runs: false, reason: "when:branch: never" },
    ]);
  });
});
