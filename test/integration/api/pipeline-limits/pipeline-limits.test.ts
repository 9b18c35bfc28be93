/** Limits of pipelines: who sets them, whose hold, and that each place that needs them knows them. What they refuse in a file: unit tests. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PipelineLimit } from "@forgeline/schemas/pipeline-limits/resource.ts";
import { pipelineLimitNames } from "@forgeline/schemas/pipeline-limits/limits.ts";
import { findMaterial } from "@forgeline/server/domains/pipelines/leases/leases.store.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { approvalRule } from "../../../support/approvals.ts";
import { planJob, planOf } from "../../../support/runs.ts";
import { runInRows } from "../../../support/web/run-in-rows.ts";

let server: ApiServer;
let root: TestPerson;
let ada: TestPerson;
let eve: TestPerson;

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_STEP_LOG_BYTES: String(64 * 1024 ** 2) } });
  root = await server.person("root", { isAdmin: true });
  [ada, eve] = await Promise.all([server.person("ada"), server.person("eve")]);
  await server.api("POST", "/orgs", { token: ada.token, body: { name: "acme" } });
  for (const owner of ["acme", "ada"]) {
    await server.api("POST", "/repos", {
      token: ada.token,
      body: { name: "code", owner, readme: true, visibility: "public" },
    });
    await put(`/repos/${owner}/code/contents/.forgeline/big.yml`, three);
  }
});
afterAll(() => server?.stop());

const three =
  "defaults: { image: a }\njobs:\n  a: { steps: [x] }\n  b: { steps: [x] }\n  c: { steps: [x] }\n";
const instance = "/admin/pipeline-limits";
const ofAcme = "/admin/organizations/acme/pipeline-limits";

const put = (path: string, text: string) =>
  server.api("PUT", path, {
    token: ada.token,
    body: { message: "Add", content: Buffer.from(text).toString("base64"), branch: "main" },
  });
const set = (path: string, body: object, person = root) =>
  server.api("PUT", path, { token: person.token, body });
async function limit(path: string, name: string, person = root): Promise<PipelineLimit | undefined> {
  const { json } = await server.api("GET", path, { token: person.token });
  return (json.limits as PipelineLimit[]).find((one) => one.name === name);
}
const lint = async (repository: string, content: string) =>
  (await server.api("POST", `/repos/${repository}/pipelines/lint`, { token: ada.token, body: { content } }))
    .json as { valid: boolean; diagnostics: { message: string; hint: string | null }[] };

test("an organization's hold before the instance's, and those before the defaults", async () => {
  const first = await server.api("GET", instance, { token: root.token });
  expect((first.json.limits as PipelineLimit[]).map(({ name }) => name)).toEqual(pipelineLimitNames);
  expect(await limit(instance, "jobs")).toEqual({
    name: "jobs",
    value: 500,
    set_by: "default",
    default: 500,
    lowest: 1,
    highest: 1000,
  });
  expect(await limit(instance, "step_log_mib")).toMatchObject({ value: 64, default: 64 });

  expect((await set(instance, { jobs: 2, steps: 50 })).status).toBe(200);
  expect(await limit(ofAcme, "jobs")).toMatchObject({ value: 2, set_by: "instance" });
  expect((await set(ofAcme, { jobs: 900 })).status).toBe(200);
  expect(await limit("/repos/acme/code/pipeline-limits", "jobs", eve)).toMatchObject({
    value: 900,
    set_by: "organization",
  });
  expect(await limit("/repos/acme/code/pipeline-limits", "steps")).toMatchObject({ set_by: "instance" });
  expect(await limit("/repos/ada/code/pipeline-limits", "jobs", ada)).toMatchObject({
    value: 2,
    set_by: "instance",
  });

  expect((await lint("acme/code", three)).valid).toBe(true);
  const refused = await lint("ada/code", three);
  expect(refused.diagnostics).toMatchObject([
    {
      message: "3 jobs; at most 2 are allowed here",
      hint: "an administrator of the instance has set this limit for this instance, and can raise it",
    },
  ]);
  await set(ofAcme, {});
  expect(await limit(ofAcme, "jobs")).toMatchObject({ value: 2, set_by: "instance" });
  await set(instance, {});
  expect((await lint("ada/code", three)).valid).toBe(true);
});

test("only administrators of the instance set them, each change is in the audit log, and bad ones say the field", async () => {
  expect((await set(ofAcme, { jobs: 5 }, ada)).status).toBe(403);
  expect((await set(instance, { jobs: 5 }, eve)).status).toBe(403);
  expect((await set("/admin/organizations/nobody/pipeline-limits", { jobs: 5 })).status).toBe(404);
  const bad = await set(ofAcme, { jobs: 1001, stages: 0, tea: 5 });
  expect(bad.status).toBe(422);
  expect((bad.json.errors as { field: string }[]).map(({ field }) => field).toSorted()).toEqual([
    "jobs",
    "stages",
    "tea",
  ]);
  await set(ofAcme, { jobs: 7 });
  await set(ofAcme, {});
  const entries = await server.container.platform.db.query<{ details: object; target_name: string }>(
    "select details, target_name from audit_log where action = 'admin.pipeline_limits_change' order by id desc limit 2",
    [],
  );
  expect(entries).toEqual([
    { details: { old_limits: { jobs: 7 }, limits: {} }, target_name: "acme" },
    { details: { old_limits: {}, limits: { jobs: 7 } }, target_name: "acme" },
  ]);
});

test("they hold for a run that somebody starts, for its plan, and for the number of files", async () => {
  const start = () =>
    server.api("POST", "/repos/acme/code/pipelines", { token: ada.token, body: { pipeline: "big" } });
  await set(ofAcme, { jobs: 2 });
  const broken = await start();
  expect(broken.json).toMatchObject({
    status: "error",
    reason: "config",
    message: expect.stringContaining("3 jobs; at most 2 are allowed here") as string,
  });
  const plan = await server.api("POST", "/repos/acme/code/pipelines/plan", {
    token: ada.token,
    body: { event: "api", pipeline: "big" },
  });
  expect(plan.json).toMatchObject({ valid: false });
  await set(ofAcme, { files: 1 });
  expect((await start()).json.status).not.toBe("error");
  await put("/repos/acme/code/contents/.forgeline/more.yml", three);
  const many = await start();
  expect(many.status).toBe(422);
  expect(many.text).toContain("2 pipeline files; at most 1 are allowed here");
  await set(ofAcme, {});
  expect((await start()).status).toBe(201);
});

test("they hold for matrices that are known late, gates, logs of steps and reruns", async () => {
  await set(instance, { matrix_combinations: 2, approval_days: 2, step_log_mib: 5, reruns: 1 });
  const source = `\${{ fromJson('[{"a":"1"},{"a":"2"},{"a":"3"}]') }}`;
  const matrix = { combinations: null, source, maxParallel: null, failFast: false };
  const approval = approvalRule({ expiresMs: 10 * 86_400_000 });
  const plan = planOf([
    planJob({ key: "late", matrix }),
    planJob({ key: "gate", approval }),
    planJob({ key: "plain" }),
  ]);
  const { db } = server.container.platform;
  const run = await runInRows(server, ada, { name: "late", plan });
  const { runs } = server.container.pipelines;
  const of = { pipelineId: run.id, sequence: 1 };
  const met = {
    attempt: 1,
    retry: false,
    outcome: "success",
    stageOutcome: "success",
    blocked: null,
  } as const;
  const starts = (await runs.loadRun(of)).jobs.map(({ id, key }) => ({
    jobId: id,
    ...met,
    ask: key === "gate",
    expand: key === "late",
  }));
  await runs.startJobs({ ...of, settled: [], jobs: starts });
  const jobs = await db.query<{ key: string; status: string; message: string | null }>(
    "select key, status, message from jobs where pipeline_id = $1 and key = 'late'",
    [run.id],
  );
  expect(jobs).toEqual([
    {
      key: "late",
      status: "error",
      message:
        "The matrix cannot be used: the matrix has 3 entries; at most 2 are allowed here. An administrator of the instance has set this limit for this instance, and can raise it.",
    },
  ]);
  const [gate] = await db.query<{ days: number }>(
    "select round(extract(epoch from expires_at - now()) / 86400)::int as days from approval_gates where pipeline_id = $1",
    [run.id],
  );
  expect(gate?.days).toBe(2);
  const attempts = await db.query<{ id: string }>("select id from job_attempts where pipeline_id = $1", [
    run.id,
  ]);
  const material = await findMaterial(
    db,
    attempts.map(({ id }) => id),
  );
  expect(material).toMatchObject([{ job: { key: "plain" }, stepLogMib: 5 }]);

  await db.query("update pipelines set status = 'failed', sequence = 2, finished_at = now() where id = $1", [
    run.id,
  ]);
  const rerun = await server.api("POST", "/repos/ada/late/pipelines/1/rerun", {
    token: ada.token,
    body: { from: "all" },
  });
  expect(rerun.status).toBe(409);
  expect(rerun.text).toContain("A run can be rerun at most once. An administrator of the instance has set");
  await set(instance, {});
});
