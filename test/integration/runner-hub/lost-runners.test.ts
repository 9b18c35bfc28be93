/** Offers, leases and limits when a runner or the servers fall silent; all on database time, with short intervals. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { revokeRunner } from "@forgeline/server/domains/pipelines/runners/runners.store.ts";
import { eventually } from "../../support/eventually.ts";
import { success } from "../../support/protocol-runner.ts";
import { hubFixture, type HubFixture } from "./fixture.ts";
import { planStep } from "./queued-attempt.ts";

const often = { sweepMs: 200 };

let hub: HubFixture;
let label = 0;
beforeAll(async () => {
  hub = await hubFixture();
});
beforeEach(() => {
  label += 1;
});
afterAll(() => hub.close());

async function leased(server: Awaited<ReturnType<HubFixture["server"]>>, job: object = {}) {
  const labels = [`l${label}`];
  const key = await hub.runner();
  const runner = hub.connect(server, key, { labels });
  await runner.hello();
  const queued = await hub.queue({ labels, job });
  const spec = await runner.acceptNext();
  const { attemptId, epoch } = spec;
  return { key, runner, queued, spec, lease: { attemptId, epoch } };
}

test("an offer left unanswered goes to another runner, and the silent one's slot rests", async () => {
  const server = await hub.server({ offerMs: 300, slotPauseMs: 60_000 });
  const labels = [`l${label}`];
  const silent = hub.connect(server, await hub.runner(), { labels });
  await silent.hello();
  const job = await hub.queue({ labels });
  const first = await silent.take("offer");
  const other = hub.connect(server, await hub.runner(), { labels });
  await other.hello();
  const spec = await other.acceptNext();
  expect(spec).toMatchObject({ attemptId: job.attemptId, epoch: first.epoch + 1 });
  expect(silent.received.filter((message) => message.t === "offer")).toEqual([]);
  await server.stop();
});

test("offers of a runner that is gone, and refused ones, fall back at once", async () => {
  const server = await hub.server({ offerMs: 600_000, rejectPauseMs: 600_000 });
  const labels = [`l${label}`];
  const gone = hub.connect(server, await hub.runner(), { labels });
  await gone.hello();
  await hub.queue({ labels });
  await gone.take("offer");
  gone.vanish();
  const full = hub.connect(server, await hub.runner(), { labels });
  await full.hello();
  const { attemptId, epoch } = await full.take("offer");
  expect(
    await full.ask({ t: "offer_answer", attemptId, epoch, accept: false, reject: "full" }),
  ).toMatchObject({
    t: "ack",
  });
  const third = hub.connect(server, await hub.runner(), { labels });
  await third.hello();
  expect(await third.acceptNext()).toMatchObject({ attemptId, epoch: 3 });
  await server.stop();
});

/** As if nothing had been heard of the lease for so long, with a server up all the while. */
async function silentFor(attemptId: string, time: string): Promise<void> {
  await hub.db.query("update server_uptime set up_since = now() - interval '1 day'");
  await hub.db.query(
    "update job_attempts set lease_renewed_at = now() - $2::interval where id = $1 and state = 'leased'",
    [attemptId, time],
  );
}

test("heartbeats keep a lease; silence makes it unreachable, then lost", async () => {
  const server = await hub.server(often);
  const { runner, lease, queued } = await leased(server);
  const { epoch } = await hub.attempt(lease.attemptId);
  await silentFor(lease.attemptId, "1 minute");
  await eventually(async () => (await hub.attempt(lease.attemptId)).unreachable);
  runner.beat([lease]);
  await runner.take("heartbeat_ack");
  expect(await hub.attempt(lease.attemptId)).toMatchObject({ state: "leased", epoch, unreachable: false });
  await silentFor(lease.attemptId, "1 minute");
  await eventually(async () => (await hub.attempt(lease.attemptId)).unreachable);
  await silentFor(lease.attemptId, "2 minutes");
  await eventually(async () => (await hub.attempt(lease.attemptId)).state === "ended");
  expect(await hub.attempt(lease.attemptId)).toMatchObject({
    status: "error",
    reason: "runner_lost",
    epoch: 2,
    log_complete: false,
  });
  await runner.take("revoke", (revoke) => revoke.attemptId === lease.attemptId);
  const facts = await hub.db.query<{ kind: string }>(
    "select payload #>> '{fact,kind}' as kind from outbox where payload ->> 'pipelineId' = $1",
    [queued.pipelineId],
  );
  expect(facts).toEqual([{ kind: "reclaimed" }]);
  await eventually(async () => {
    const open = await hub.db.query("select from log_streams where attempt_id = $1 and not ended", [
      lease.attemptId,
    ]);
    return open.length === 0;
  });
  await server.stop();
});

test("rerun_if_lost: false, once begun, stays with its runner", async () => {
  const server = await hub.server(often);
  const { runner, lease } = await leased(server, { rerunIfLost: false });
  await runner.ask({ t: "step_started", ...lease, position: 0, name: "s", timeMs: Date.now() });
  await silentFor(lease.attemptId, "1 hour");
  await eventually(async () => (await hub.attempt(lease.attemptId)).unreachable);
  const other = await leased(server);
  await silentFor(other.lease.attemptId, "1 hour");
  await eventually(async () => (await hub.attempt(other.lease.attemptId)).state === "ended");
  expect(await hub.attempt(lease.attemptId)).toMatchObject({ state: "leased", unreachable: true, epoch: 1 });
  runner.beat([lease]);
  await eventually(async () => !(await hub.attempt(lease.attemptId)).unreachable);
  await server.stop();
});

test("step and silence limits: the server asks once, and repeats until the runner is done", async () => {
  const server = await hub.server({ ...often, limitSlackMs: 100, cancelRepeatMs: 300 });
  const step = planStep({ name: "quiet", idleTimeoutMs: 400 });
  const { runner, lease, spec } = await leased(server, { steps: [step] });
  await runner.ask({ t: "started", ...lease, timeMs: Date.now() });
  await runner.ask({ t: "step_started", ...lease, position: 0, name: "quiet", timeMs: Date.now() });
  const cancel = await runner.take("cancel");
  expect(cancel).toMatchObject({ ...lease, reason: "idle_timeout", status: "failed", force: false });
  expect(cancel.message).toContain("quiet");
  await runner.take("cancel");
  expect((await hub.attempt(lease.attemptId)).cancel).toMatchObject({
    reason: "idle_timeout",
    status: "failed",
  });
  await runner.endStreams(spec);
  const result = { status: "failed", reason: "idle_timeout", message: "quiet", exitCode: null } as const;
  expect(await runner.done(spec, { ...result, outputs: {}, steps: [], warnings: [] })).toMatchObject({
    t: "ack",
  });
  await server.stop();
});

test("a result waits for missing logs only so long", async () => {
  const server = await hub.server({ logsWaitMs: 1 });
  const { runner, spec, lease } = await leased(server);
  expect(await runner.done(spec)).toMatchObject({ t: "nack", code: "logs_missing" });
  await eventually(async () => (await runner.done(spec)).t === "ack");
  expect(await hub.attempt(lease.attemptId)).toMatchObject({ status: "success", log_complete: false });
  await server.stop();
});

test("what a removed runner held is lost at once", async () => {
  const server = await hub.server(often);
  const { key, lease } = await leased(server);
  await hub.db.query("update server_uptime set up_since = now() - interval '1 hour'");
  await hub.db.transaction((tx) => revokeRunner(tx, key.id));
  await eventually(async () => (await hub.attempt(lease.attemptId)).reason === "runner_lost");
  await server.stop();
});

test("text that the database cannot hold does not stop a result", async () => {
  const server = await hub.server();
  const { runner, spec, lease } = await leased(server);
  await runner.endStreams(spec);
  const outputs = { "a\0b": "c\0d", half: "\ud800" };
  expect(await runner.done(spec, { ...success, outputs })).toMatchObject({ t: "ack" });
  const row = await hub.db.one("select outputs from job_attempts where id = $1", [lease.attemptId]);
  expect(row).toEqual({ outputs: { "a\uFFFDb": "c\uFFFDd", half: "\uFFFD" } });
  await server.stop();
});
