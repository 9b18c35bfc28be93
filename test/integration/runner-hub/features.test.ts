/** Jobs that need what not every runner has are given only to runners that said that they have it. */
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { featureLabels, neededLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";
import { queueReasons } from "@forgeline/server/domains/pipelines/runs/queue-reasons.ts";
import { readRun } from "@forgeline/server/domains/pipelines/runs/runs.store.ts";
import { changeRunner } from "@forgeline/server/domains/pipelines/runners/runners.store.ts";
import { planCache } from "../../support/job-caches.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

let hub: HubFixture;
let server: HubServer;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server();
});
afterAll(() => hub.close());
afterEach(() => hub.db.query("delete from job_attempts"));

const closed = { runnerLabels: ["docker"], network: { allow: [] } };

test("a runner that names the feature is offered the job, an older one is not", async () => {
  const { runner: old } = await hub.connected(server);
  const { runner: able } = await hub.connected(server, { features: ["network_none", "from_the_future"] });
  const { attemptId } = await hub.queue({ labels: neededLabels(closed) });
  expect(await able.take("offer")).toMatchObject({ attemptId });
  expect(old.received.filter(({ t }) => t === "offer")).toEqual([]);
  for (const each of [old, able]) each.vanish();
});

test("a job that is handed something waits for a runner that knows it, and says so", async () => {
  await hub.db.query("update runners set revoked_at = now()");
  const { runner: old } = await hub.connected(server);
  const cached = { runnerLabels: ["docker"], cache: [planCache("npm")] };
  const { attemptId, pipelineId } = await hub.queue({ labels: neededLabels(cached) });
  const plain = await hub.queue({ labels: neededLabels({ runnerLabels: ["docker"] }) });
  expect(await old.take("offer")).toMatchObject({ attemptId: plain.attemptId });
  const why = queueReasons((await readRun(hub.db, pipelineId))?.queue ?? []).get(attemptId);
  expect(why).toMatchObject({
    reason: "no_matching_runner",
    message: expect.stringMatching(
      /^No runner fits; the nearest, .+, is too old for .+: update it\.$/,
    ) as string,
  });
  const { runner: today } = await hub.connected(server, { features: ["lease_v2"] });
  expect(await today.take("offer")).toMatchObject({ attemptId });
  for (const each of [old, today]) each.vanish();
});

test("why such a job waits is said in the words of its file", async () => {
  await hub.db.query("update runners set revoked_at = now()");
  const { key, runner } = await hub.connected(server);
  const { attemptId, pipelineId } = await hub.queue({ labels: neededLabels(closed) });
  const why = async () => queueReasons((await readRun(hub.db, pipelineId))?.queue ?? []).get(attemptId);
  expect(await why()).toMatchObject({
    reason: "no_matching_runner",
    message: expect.stringMatching(
      /^No runner fits; the nearest, .+, cannot close a job's network \(`network: none`\)/,
    ) as string,
  });
  await hub.db.query("update runners set match_labels = '{}' where id = $1", [key.id]);
  expect((await why())?.message).toContain(", lacks docker; it cannot close a job's network");
  runner.vanish();
});

test("a runner that requires signatures is offered only jobs that are signed, and any other may have those", async () => {
  await hub.db.query("update runners set revoked_at = now()");
  const { key, runner } = await hub.connected(server, { requiresSignatures: true });
  const { attemptId, pipelineId } = await hub.queue({ labels: ["docker"] });
  const why = queueReasons((await readRun(hub.db, pipelineId))?.queue ?? []).get(attemptId);
  expect(why?.message).toMatch(
    /^No runner fits; the nearest, .+, takes signed jobs only, and this job is not signed\.$/,
  );
  const { attemptId: signed } = await hub.queue({ labels: ["@signed", "docker"] });
  expect(await runner.take("offer")).toMatchObject({ attemptId: signed });
  const change = { name: null, paused: null, draining: null, capacity: undefined, group: undefined };
  await changeRunner(hub.db, key.id, { ...change, labels: ["!x"] });
  const { must } = (await hub.db.one<{ must: string[] }>(
    "select must_name as must from runners where id = $1",
    [key.id],
  ))!;
  expect(must.toSorted()).toEqual(["@signed", "x"]);
  runner.vanish();
  await hub.db.query("delete from job_attempts");
  const { runner: plain } = await hub.connected(server);
  const { attemptId: another } = await hub.queue({ labels: ["@signed", "docker"] });
  expect(await plain.take("offer")).toMatchObject({ attemptId: another });
  plain.vanish();
});

test("jobs that were signed and queued before there was a label for it get it with the update", async () => {
  await hub.db.query("update runners set revoked_at = now()");
  const { attemptId: signed } = await hub.queue({ labels: ["docker", "x86"] });
  const { attemptId: unsigned } = await hub.queue({ labels: ["docker"] });
  const sign = "insert into signed_jobs (attempt_id, payload, signatures) values ($1, '{}', '[]')";
  await hub.db.query(sign, [signed]);
  const migration = "server/platform/db/migrations/0147_label_waiting_signed_jobs.sql";
  const update = await readFile(migration, "utf8");
  // A second time, as nobody does, nothing changes.
  for (const _ of [1, 2]) await hub.db.query(update);
  const rows = await hub.db.query<{ id: string; labels: string[] }>("select id, labels from job_attempts");
  expect(Object.fromEntries(rows.map(({ id, labels }) => [id, labels]))).toEqual({
    [signed]: ["@signed", "docker", "x86"],
    [unsigned]: ["docker"],
  });
  const { runner } = await hub.connected(server, { requiresSignatures: true, labels: ["docker", "x86"] });
  expect(await runner.take("offer")).toMatchObject({ attemptId: signed });
  runner.vanish();
});

test("labels that somebody sets keep what the runner has, also when it comes back", async () => {
  const key = await hub.runner();
  const match = async () =>
    (await hub.db.one<{ labels: string[] }>("select match_labels as labels from runners where id = $1", [
      key.id,
    ]))!.labels.toSorted();
  const first = hub.connect(server, key, { features: ["network_none"], labels: ["a=b"] });
  await first.hello();
  expect(await match()).toEqual(["@network_none", "a=*", "a=b"]);
  await changeRunner(hub.db, key.id, {
    name: null,
    paused: null,
    draining: null,
    labels: ["c"],
    capacity: undefined,
    group: undefined,
  });
  expect(await match()).toEqual(["@network_none", "c"]);
  first.vanish();
  const again = hub.connect(server, key, {
    instanceId: first.instanceId,
    features: ["network_none", "network_allow"],
    labels: ["a=b"],
  });
  await again.hello();
  expect(await match()).toEqual(["@network_allow", "@network_none", "c"]);
  again.vanish();
});

test("a runner without containers takes only jobs that ask for it, whatever labels somebody sets", async () => {
  await hub.db.query("update runners set revoked_at = now()");
  const key = await hub.runner();
  const change = { name: null, paused: null, draining: null, capacity: undefined, group: undefined };
  const labels = async () =>
    hub.db.one<{ match: string[]; must: string[]; executor: string }>(
      "select match_labels as match, must_name as must, executor from runners where id = $1",
      [key.id],
    );
  const bare = { match: ["executor=*", "executor=process"], must: ["executor=process"], executor: "process" };
  const first = hub.connect(server, key, { executor: "process", labels: ["!executor=process"] });
  await first.hello();
  expect(await labels()).toEqual(bare);
  await changeRunner(hub.db, key.id, { ...change, labels: ["os=linux", "executor=process"] });
  expect(await labels()).toMatchObject({
    match: ["os=*", "os=linux", "executor=*", "executor=process"],
    must: ["executor=process"],
  });
  const { attemptId } = await hub.queue({ labels: neededLabels({ runnerLabels: ["os=linux"] }) });
  const asking = await hub.queue({
    labels: neededLabels({ runnerLabels: ["executor=process", "os=linux"] }),
  });
  expect(await first.take("offer")).toMatchObject({ attemptId: asking.attemptId });
  expect((await hub.attempt(attemptId)).state).toBe("queued");
  first.vanish();
  const { instanceId } = first;
  const contained = hub.connect(server, key, { instanceId, executor: "docker", labels: [] });
  await contained.hello();
  expect(await labels()).toEqual({ match: ["os=*", "os=linux"], must: [], executor: "docker" });
  contained.vanish();
  const again = hub.connect(server, key, { instanceId, executor: "process", labels: [] });
  await again.hello();
  expect(await labels()).toMatchObject({ must: ["executor=process"], executor: "process" });
  again.vanish();
});

test("what a runner says is taken for what this server knows", () => {
  expect(featureLabels(["network_none", "x", "network_none", "os=linux"])).toEqual(["@network_none"]);
  expect(neededLabels({ runnerLabels: ["b", "a", "b"] })).toEqual(["a", "b"]);
  expect(neededLabels({ runnerLabels: ["a"], privileged: true })).toEqual(["@privileged", "a"]);
  expect(neededLabels({ runnerLabels: [], network: { allow: ["a.example"] } })).toEqual(["@network_allow"]);
  const secret = { name: "A", env: "A", optional: false };
  const needs = [{ job: "a", optional: false, artifacts: true }];
  for (const one of [
    { secrets: [secret] },
    { reports: {} },
    { idTokens: [{ name: "T", audience: "a" }] },
    { needs },
  ])
    expect(neededLabels({ runnerLabels: ["a"], ...(one as object) })).toEqual(["@lease_v2", "a"]);
  expect(neededLabels({ runnerLabels: ["a"], secrets: [], needs: [], steps: [] })).toEqual(["a"]);
});
