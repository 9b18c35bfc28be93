/** Retention: who may set what, which of all levels holds, and what goes when its time is over. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { insertDeployment } from "../../../support/deployments.ts";
import { bringArtifact, endJob, jobAtWork, planArtifact } from "../../../support/job-artifacts.ts";
import { bringCache, planCache } from "../../../support/job-caches.ts";
import { insertRun } from "../../../security/access-matrix/places.ts";

let server: ApiServer;
let ada: TestPerson;
let eve: TestPerson;

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_RUN_DAYS: "1000", FORGELINE_CACHE_DAYS: "20" } });
  ada = await server.person("ada", { isAdmin: true });
  eve = await server.person("eve");
  await server.api("POST", "/orgs", { token: ada.token, body: { name: "acme" } });
});
afterAll(() => server.stop());

const ask = (path: string, person = ada) => server.api("GET", `${path}/retention`, { token: person.token });
const set = (path: string, body: object, person = ada) =>
  server.api("PUT", `${path}/retention`, { token: person.token, body });
const sql = (text: string, values: unknown[]) =>
  server.container.platform.db.query<{ id: string }>(text, values);
const sweep = () => server.container.pipelines.retentionUpkeep.sweep();

async function newRepository(name: string, owner = "acme"): Promise<{ id: string; path: string }> {
  const body = { name, owner, readme: true, private: true };
  const { json } = await server.api("POST", "/repos", { token: ada.token, body });
  return { id: json.id as string, path: `/repos/${owner}/${name}` };
}

const none = {
  runs_days: null,
  logs_days: null,
  artifacts_days: null,
  caches_days: null,
  reports_days: null,
};

test("the shortest of instance, organization and repository holds, and longer ones are refused", async () => {
  const { path } = await newRepository("levels");
  const instance = { ...none, runs_days: 1000, caches_days: 20, reports_days: 90 };
  expect((await ask(path)).json).toEqual({ ...none, effective: instance, updated_at: null });
  const org = await set("/orgs/acme", { runs_days: 100, logs_days: 50 });
  expect(org.json).toMatchObject({
    runs_days: 100,
    logs_days: 50,
    effective: { runs_days: 100, caches_days: 20 },
  });
  const own = await set(path, { logs_days: 7, reports_days: 30 });
  expect(own.json).toMatchObject({
    ...none,
    logs_days: 7,
    reports_days: 30,
    effective: { runs_days: 100, logs_days: 7, artifacts_days: null, caches_days: 20, reports_days: 30 },
  });
  const refused = await set(path, { runs_days: 101, caches_days: 21 });
  expect(refused.status).toBe(422);
  expect(refused.json.errors).toEqual([
    { field: "runs_days", code: "too_large", message: "At most 100: the organization keeps runs no longer." },
    { field: "caches_days", code: "too_large", message: "At most 20: the instance keeps caches no longer." },
  ]);
  expect((await set(path, { runs_days: 0 })).status).toBe(422);
  expect((await set(path, {})).json).toMatchObject({ ...none, effective: { logs_days: 50 } });
  await set("/orgs/acme", {});
});

test("is for admins and owners alone, and each change is in the audit log", async () => {
  const { path } = await newRepository("who", "ada");
  await server.api("PUT", `${path}/collaborators/eve`, {
    token: ada.token,
    body: { permission: "maintain" },
  });
  expect((await ask(path, eve)).status).toBe(403);
  expect((await set(path, { runs_days: 5 }, eve)).status).toBe(403);
  expect((await set("/orgs/acme", { runs_days: 5 }, eve)).status).toBeOneOf([403, 404]);
  await set(path, { runs_days: 5 });
  const rows = await sql(
    "select details ->> 'runs_days' as id from audit_log where action = 'retention.set' and target_name = $1",
    ["ada/who"],
  );
  expect(rows).toEqual([{ id: "5" }]);
});

const dist = { name: "dist", files: { a: "1" } };

interface NewRun {
  number: number;
  ref?: string;
  days?: number;
}

/** A run that ended so many days ago, with a log. */
async function newRun(repositoryId: string, { number, ref = "refs/heads/main", days = 40 }: NewRun) {
  const id = await insertRun(server, { repositoryId, userId: ada.id, number, status: "success" });
  const branch = ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
  const job = await jobAtWork(server, {
    pipelineId: id,
    repositoryId,
    cache: [planCache("k")],
    artifacts: [planArtifact("dist", { expireMs: 30 * 86_400_000 })],
  });
  const [stream] = await sql(
    `insert into log_streams (id, attempt_id, pipeline_id, kind, position, next_offset, next_line, ended, total_bytes, total_lines)
     values ('log_' || $1, $2, $1, 'setup', 0, 4, 1, true, 4, 1) returning id`,
    [id, job.attemptId],
  );
  await sql(
    `insert into log_chunks (stream_id, start_offset, end_offset, first_line, time_runs, compressed, bytes)
     values ($1, 0, 4, 0, '[[1, 1000]]', false, $2)`,
    [stream?.id, Buffer.from("old\n")],
  );
  const object = `logs/${stream?.id ?? ""}/0-x`;
  await server.container.platform.objects.put(object, Buffer.from("object"));
  await sql(
    `update pipelines set ref = $2, finished_at = now() - $3 * interval '1 day', event = event || jsonb_build_object('branch', $4::text)
     where id = $1`,
    [id, ref, days, branch],
  );
  return { id, number, job, object };
}

const numbersOf = async (path: string) => {
  const { json } = await server.api("GET", `${path}/pipelines?per_page=100`, { token: ada.token });
  return (json as unknown as { number: number }[]).map(({ number }) => number).toSorted((a, b) => a - b);
};
const isThere = async (key: string) => (await server.container.platform.objects.head(key)) !== undefined;

test("runs go with their logs; the newest of a branch, what is deployed, and what is young stay", async () => {
  const { id, path } = await newRepository("runs");
  const old = await newRun(id, { number: 1 });
  const deployed = await newRun(id, { number: 2 });
  const tag = await newRun(id, { number: 3, ref: "refs/tags/v1" });
  const gone = await newRun(id, { number: 4, ref: "refs/heads/gone" });
  const withArtifact = await newRun(id, { number: 5 });
  await newRun(id, { number: 6, days: 1 });
  const newest = await newRun(id, { number: 7 });
  await endJob(server, withArtifact.job, [await bringArtifact(server, withArtifact.job, dist)]);
  await sql("update pipelines set finished_at = now() - interval '40 days' where id = $1", [withArtifact.id]);
  await insertDeployment(server.container.platform.db, {
    pipelineId: deployed.id,
    environment: "production",
  });
  await set(path, { runs_days: 30 });
  await sweep();
  expect(await numbersOf(path)).toEqual([2, 5, 6, 7]);
  expect(await Promise.all([old, tag, gone, deployed, newest].map(({ object }) => isThere(object)))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  // Its artifact, the newest of the branch, is shortened and stays.
  await server.container.pipelines.artifactCleanup.sweep();
  await sweep();
  expect(await numbersOf(path)).toEqual([2, 5, 6, 7]);
});

test("a log is replaced by a line that says so; one of a later attempt is another matter", async () => {
  const { id, path } = await newRepository("logs");
  const old = await newRun(id, { number: 1 });
  await newRun(id, { number: 2 });
  await set(path, { logs_days: 30 });
  await sweep();
  expect(await isThere(old.object)).toBe(false);
  const text = async () => {
    const address = `${path}/pipelines/1/logs?format=text`;
    return (await server.api("GET", address, { token: ada.token })).text;
  };
  expect(await text()).toContain("This log was removed: its time was over.");
  expect(await text()).not.toContain("old");
  // Once is enough.
  await sweep();
  const [row] = await sql("select logs_removed_at::text as id from pipelines where id = $1", [old.id]);
  await sweep();
  expect(await sql("select logs_removed_at::text as id from pipelines where id = $1", [old.id])).toEqual([
    row,
  ]);
  expect(await numbersOf(path)).toEqual([1, 2]);
});

test("caches, reports and artifacts go by the days of their repository", async () => {
  const { id, path } = await newRepository("others");
  const run = await newRun(id, { number: 1 });
  await bringCache(server, run.job, { key: "npm-1", bytes: Buffer.from("1") });
  await endJob(server, run.job, [await bringArtifact(server, run.job, dist)]);
  await sql("update caches set last_used_at = now() - interval '6 days' where repository_id = $1", [id]);
  await sql("update artifacts set published_at = now() - interval '6 days' where repository_id = $1", [id]);
  const later = await newRun(id, { number: 2 });
  await endJob(server, later.job, [await bringArtifact(server, later.job, dist)]);
  const { pipelines } = server.container;
  const clean = async () => {
    await pipelines.cacheCleanup.sweep();
    await pipelines.artifactCleanup.sweep();
    const { json } = await server.api("GET", `${path}/pipelines/1/artifacts`, { token: ada.token });
    const caches = await server.api("GET", `${path}/caches`, { token: ada.token });
    return [(json as unknown as object[]).length, (caches.json as unknown as object[]).length];
  };
  expect(await clean()).toEqual([1, 1]);
  await set(path, { artifacts_days: 5, caches_days: 5, reports_days: 5 });
  expect(await clean()).toEqual([0, 0]);
});
