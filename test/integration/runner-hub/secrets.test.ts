/** What a lease holds of secrets, whatever becomes of them, of the run's source and of the rights of who started it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFileStore } from "@forgeline/server/platform/objects/file-store.ts";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { createLeaseService, type LeaseService } from "@forgeline/server/domains/pipelines/leases/service.ts";
import { createLogService, type LogService } from "@forgeline/server/domains/pipelines/logs/service.ts";
import { runnerSettings } from "@forgeline/server/domains/pipelines/runners/settings.ts";
import { createRunMetrics } from "@forgeline/server/domains/pipelines/runs/metrics.ts";
import {
  createRunService,
  type RunService,
} from "@forgeline/server/domains/pipelines/runs/workflow-service.ts";
import {
  createSecretService,
  type SecretService,
} from "@forgeline/server/domains/pipelines/secrets/service.ts";
import { matchLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";
import { featureLabel } from "@forgeline/schemas/runners/feature.ts";
import { noMails } from "../../support/no-mails.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { testEncryption, testJobSecrets } from "../../support/job-secrets.ts";
import {
  insertRepository,
  insertRun,
  planJob,
  planOf,
  resultOf,
  type TestRepository,
} from "../../support/runs.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

const logger = createLogger({ name: "test", level: "silent" });
let database: TestDatabase;
let directory: string;
let db: TextDatabase;
let repository: TestRepository;
let logs: LogService;
let leases: LeaseService;
let runs: RunService;
let secrets: SecretService;
beforeAll(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), "forgeline-secrets-"));
  db = withTexts(createDatabase({ url: database.url, poolSize: 4, applicationName: "test", logger }));
  repository = await insertRepository(db);
  const registry = new Registry();
  logs = createLogService({ db, objects: createFileStore(directory), logger, registry });
  const addresses = {
    webUrl: "https://localhost",
    jobUrl: "https://localhost",
    baseUrl: "https://localhost/api/v1",
  };
  leases = createLeaseService({
    db,
    logs: logs.ingest,
    addresses,
    secrets: testJobSecrets,
    reportReader: { wake: () => undefined },
    jobTokenKeys: () => [Buffer.alloc(32, 7)],
    settings: { ...runnerSettings(), logsWaitMs: 0, keepOpenMs: 1 },
  });
  runs = createRunService({
    db,
    webUrl: "https://localhost",
    mail: noMails,
    signJobs: async () => false,
    metrics: createRunMetrics(registry, db),
    logger,
  });
  secrets = createSecretService({ db, encryption: testEncryption, addresses: addresses as never });
});
afterAll(async () => {
  await logs.close();
  await db.close();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

const unlimited = {
  branches: [],
  tags: [],
  events: [],
  stages: [],
  images: [],
  environments: [],
  repositories: [],
};
const set = (name: string, value: string) =>
  secrets.put(systemActor, "instance", { ...unlimited, name, value });
const remove = (name: string) => secrets.remove(systemActor, "instance", name);
const wanted = (name: string, optional = false) => [{ name, env: name, file: null, optional }];

/** A run with one job that needs the secret, and what becomes of its job when the workflow starts it. */
async function startJob(
  name: string,
  { optional = false, before = async (_id: string) => undefined as unknown, more = {} } = {},
) {
  const label = newId("rnr").toLowerCase();
  const job = planJob({ key: "build", runnerLabels: [label], secrets: wanted(name, optional), ...more });
  const { id: pipelineId } = await insertRun(db, repository, planOf([job]));
  await before(pipelineId);
  const run = { pipelineId, sequence: 1 };
  const { jobs } = await runs.loadRun(run);
  const start = {
    attempt: 1,
    retry: false,
    outcome: "success",
    stageOutcome: "success",
    blocked: null,
  } as const;
  const [started] = await runs.startJobs({
    ...run,
    settled: [],
    jobs: jobs.map(({ id }) => ({ jobId: id, ...start })),
  });
  return { label, pipelineId, started };
}

async function offer(label: string) {
  const runnerId = newId("rnr");
  await db.query(
    `insert into runners (id, name, credential_hash, match_labels, capacity, instance_id)
     values ($1, $1, convert_to($1, 'UTF8'), $2, 1, 'one')`,
    [runnerId, [featureLabel("lease_v2"), ...matchLabels([label])]],
  );
  const offered = await leases.claim({ runnerId, instanceId: "one", deadlineMs: 10_000, scope: "" });
  if (!offered) throw new Error("nothing was offered");
  return { attemptId: offered.attemptId, epoch: offered.epoch, runnerId };
}

const storedValues = async () =>
  (await db.one<{ count: number }>("select count(*)::int as count from secret_values", []))?.count;

it("holds the values, and the same ones again whatever the secret has become", async () => {
  await set("KEPT", "the first value");
  const { label } = await startJob("KEPT");
  const offered = await offer(label);
  const lease = await leases.accept(offered);
  if (!lease) throw new Error("no lease");
  expect(lease.spec.secrets).toEqual({ KEPT: "the first value" });
  const again = async () => (await leases.again(lease.material)).spec;
  await set("KEPT", "the second value");
  expect((await again()).secrets).toEqual({ KEPT: "the first value" });
  await remove("KEPT");
  expect((await again()).secrets).toEqual({ KEPT: "the first value" });
  expect(await storedValues()).toBe(1);
  await leases.done({ ...offered, result: resultOf({}) });
  await set("OTHER", "something else");
  expect(await storedValues()).toBe(1);
  expect((await again()).refusal?.reason).toBe("secret_missing:KEPT");
});

it("is refused, and stays so, where the secret has gone since the job was queued", async () => {
  await set("GOES", "here for now");
  const { label } = await startJob("GOES");
  await remove("GOES");
  const lease = await leases.accept(await offer(label));
  const refusal = { reason: "secret_missing:GOES", message: "The secret GOES does not exist." };
  expect([lease?.spec.refusal, lease?.spec.secrets]).toEqual([refusal, undefined]);
  if (!lease) throw new Error("no lease");
  expect((await leases.again(lease.material)).spec).toMatchObject({ refusal: { reason: refusal.reason } });
});

it("has nothing for what a job can do without", async () => {
  const { label } = await startJob("NOT_THERE", { optional: true });
  const lease = await leases.accept(await offer(label));
  expect([lease?.spec.refusal, lease?.spec.secrets]).toEqual([undefined, undefined]);
});

const sentence = async (pipelineId: string) =>
  (await db.one<{ message: string }>("select message from jobs where pipeline_id = $1", [pipelineId]))
    ?.message;

it.each(["fork", "unknown_author"])("is never queued for a run whose source is %s", async (trust) => {
  await set("WANTED", "for us alone");
  const { started, pipelineId } = await startJob("WANTED", {
    before: (id) => db.query("update pipelines set trust = $2 where id = $1", [id, trust]),
  });
  expect(started).toMatchObject({ status: "error", reason: "secret_missing:WANTED" });
  expect(await sentence(pipelineId)).toMatch(/get no secrets/);
  const { label } = await startJob("WANTED", {
    optional: true,
    before: (id) => db.query("update pipelines set trust = $2 where id = $1", [id, trust]),
  });
  expect((await leases.accept(await offer(label)))?.spec.secrets).toBeUndefined();
  const tokens = await startJob("WANTED", {
    before: (id) => db.query("update pipelines set trust = $2 where id = $1", [id, trust]),
    more: { secrets: undefined, idTokens: [{ name: "TOKEN", audience: "vault" }] },
  });
  expect(tokens.started).toMatchObject({ status: "error", reason: "id_token_refused" });
  expect(await sentence(tokens.pipelineId)).toMatch(/The same goes for identity tokens/);
});

it("that is limited to environments is not had by naming one: a job that made it waits for somebody with Maintain", async () => {
  await secrets.put(systemActor, "instance", {
    ...unlimited,
    name: "PKEY",
    value: "of production alone",
    environments: ["prod*"],
  });
  const environment = { name: "Prod-evil", url: null };
  const taker = (name: string) => startJob(name, { more: { environment } });
  const refused = async ({ started, pipelineId }: Awaited<ReturnType<typeof taker>>) => {
    expect(started).toMatchObject({ status: "error", reason: "secret_missing:PKEY" });
    expect(await sentence(pipelineId)).toContain("forgeline environment create Prod-evil");
  };
  await refused(await taker("PKEY"));
  await startJob("NOT_THERE", { optional: true, more: { environment } });
  await refused(await taker("PKEY"));
  await db.query(
    "insert into secrets (id, environment_id, name) select 'sec_own', id, 'OWN' from environments where name = 'Prod-evil'",
  );
  expect(await sentence((await startJob("OWN")).pipelineId)).toBe(
    "The secret OWN belongs to environment Prod-evil, and this job deploys to none.",
  );
  const confirm = "update environments set confirmed_at = $1 where name = 'Prod-evil' returning id";
  expect(await db.query(confirm, [new Date()])).toHaveLength(1);
  const queued = await taker("PKEY");
  expect((await leases.accept(await offer(queued.label)))?.spec.secrets).toEqual({
    PKEY: "of production alone",
  });
  const late = await taker("PKEY");
  await db.query(confirm, [null]);
  expect((await leases.accept(await offer(late.label)))?.spec.refusal?.reason).toBe("secret_missing:PKEY");
});

it("row 35: is refused once whoever started the run may not write any more", async () => {
  await set("WANTED", "for us alone");
  const queued = await startJob("WANTED");
  await db.query("update users set suspended = true where id = $1", [repository.userId]);
  try {
    const lease = await leases.accept(await offer(queued.label));
    expect(lease?.spec.refusal?.message).toMatch(/may not write to the repository any more/);
    const { started } = await startJob("WANTED");
    expect(started).toMatchObject({ status: "error", reason: "secret_missing:WANTED" });
  } finally {
    await db.query("update users set suspended = false where id = $1", [repository.userId]);
  }
});

it("has no room for more than half a mebibyte", async () => {
  const names = Array.from({ length: 9 }, (_, i) => `LARGE_${i}`);
  for (const name of names) await set(name, "x".repeat(64 * 1024));
  const job = planJob({ key: "build", secrets: names.flatMap((name) => wanted(name)) });
  const { id: pipelineId } = await insertRun(db, repository, planOf([job]));
  const run = { pipelineId, sequence: 1 };
  const { jobs } = await runs.loadRun(run);
  const start = {
    attempt: 1,
    retry: false,
    outcome: "success",
    stageOutcome: "success",
    blocked: null,
  } as const;
  const [started] = await runs.startJobs({
    ...run,
    settled: [],
    jobs: [{ jobId: jobs[0]?.id ?? "", ...start }],
  });
  expect(started).toMatchObject({ status: "error", reason: "config" });
  expect(await sentence(pipelineId)).toBe(
    "The secrets of the job come to 589824 bytes; a job can have at most 524288.",
  );
});
