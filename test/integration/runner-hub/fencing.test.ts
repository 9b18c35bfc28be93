/** What a runner may not do: speak for a lease that is not, or no longer, its own. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { releaseConnection } from "@forgeline/server/domains/pipelines/runners/connections.store.ts";
import type { HeartbeatFacts, LeaseName } from "@forgeline/server/domains/pipelines/leases/leases.ts";
import { renewLeases, takeLease } from "@forgeline/server/domains/pipelines/leases/leases.store.ts";
import { eventually } from "../../support/eventually.ts";
import { success, type ProtocolRunner } from "../../support/protocol-runner.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

let hub: HubFixture;
let server: HubServer;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server();
});
afterAll(() => hub.close());

async function leased(options: { capacity?: number } = {}) {
  const label = `l${Math.random().toString(36).slice(2)}`;
  const key = await hub.runner();
  const runner = hub.connect(server, key, { labels: [label], ...options });
  await runner.hello();
  const job = await hub.queue({ labels: [label] });
  return { key, label, runner, job, spec: await runner.acceptNext() };
}

async function actions(runnerId: string): Promise<string[]> {
  const rows = await hub.db.query<{ action: string }>("select action from audit_log where target_id = $1", [
    runnerId,
  ]);
  return rows.map((row) => row.action);
}

test("another runner's lease: refused, and written down", async () => {
  const { spec } = await leased();
  const strangerKey = await hub.runner();
  const stranger = hub.connect(server, strangerKey);
  await stranger.hello();
  expect(await stranger.done(spec)).toMatchObject({ t: "nack", code: "unknown_lease" });
  const started = { t: "started", attemptId: spec.attemptId, epoch: spec.epoch, timeMs: 1 } as const;
  expect(await stranger.ask(started)).toMatchObject({ t: "nack", code: "unknown_lease" });
  stranger.log(spec.streams[0]?.channel ?? 0, 0, "forged\n");
  await eventually(
    async () => (await actions(strangerKey.id)).filter((a) => a === "runner.foreign_lease").length === 3,
  );
  expect(await hub.attempt(spec.attemptId)).toMatchObject({ state: "leased", status: "queued" });
  const stored = await hub.db.query("select from log_chunks where stream_id = $1", [spec.streams[0]?.id]);
  expect(stored).toEqual([]);
});

test("a lease that never was, and one's own stream under another lease", async () => {
  const { runner, spec } = await leased();
  const nobody = { attemptId: "att_00000000000000000000000000", epoch: 1 };
  expect(await runner.done(nobody)).toMatchObject({ t: "nack", code: "unknown_lease" });
  const eof = { bytes: 0, lines: 0, sha256: "", droppedBytes: 0, droppedLines: 0 };
  const lease = { attemptId: spec.attemptId, epoch: spec.epoch };
  expect(await runner.ask({ t: "log_eof", ...lease, streamId: "log_other", ...eof })).toMatchObject({
    t: "nack",
    code: "unknown_lease",
  });
});

test("results of an attempt that was ended elsewhere are stale, and the lease is revoked", async () => {
  const { runner, spec, job } = await leased();
  await hub.db.query(
    "update job_attempts set state = 'ended', status = 'cancelled', epoch = epoch + 1 where id = $1",
    [job.attemptId],
  );
  expect(await runner.done(spec)).toMatchObject({ t: "nack" });
  await runner.take("revoke", (revoke) => revoke.attemptId === spec.attemptId && revoke.epoch === 1);
  expect(await runner.done(spec)).toMatchObject({ t: "nack", code: "stale_epoch" });
  expect(await hub.attempt(job.attemptId)).toMatchObject({ status: "cancelled", epoch: 2 });
});

test("a forced end is told at once", async () => {
  const { runner, spec } = await leased();
  await hub.db.transaction(async (tx) => {
    await tx.query(
      "update job_attempts set state = 'ended', status = 'error', epoch = epoch + 1 where id = $1",
      [spec.attemptId],
    );
    await tx.notify("attempt", spec.attemptId);
  });
  await runner.take("revoke", (revoke) => revoke.attemptId === spec.attemptId);
  expect(await runner.ask({ t: "revoked", attemptId: spec.attemptId, epoch: 1 })).toMatchObject({ t: "ack" });
});

test("an offer accepted too late is stale", async () => {
  const label = "late";
  const runner = hub.connect(server, await hub.runner(), { labels: [label] });
  await runner.hello();
  await hub.queue({ labels: [label] });
  const { attemptId, epoch } = await runner.take("offer");
  await hub.db.query("update job_attempts set state = 'queued', runner_id = null where id = $1", [attemptId]);
  const answer = await runner.ask({ t: "offer_answer", attemptId, epoch, accept: true, reject: null });
  expect(answer).toMatchObject({ t: "nack", code: "stale_epoch" });
  await runner.take("revoke", (revoke) => revoke.attemptId === attemptId);
});

test("an offer becomes a lease once, by its epoch, for the runner that it was made to", async () => {
  const [{ id: runnerId }, { id: other }] = [await hub.runner(), await hub.runner()];
  const { attemptId } = await hub.queue({ labels: ["by-hand"] });
  await hub.db.query("update job_attempts set state = 'offered', epoch = 3, runner_id = $2 where id = $1", [
    attemptId,
    runnerId,
  ]);
  const take = (change: Partial<LeaseName & { runnerId: string }> = {}) =>
    hub.db.transaction((tx) =>
      takeLease(tx, { attemptId, epoch: 3, runnerId, tokenHash: Buffer.alloc(32), ...change }),
    );
  for (const change of [{ epoch: 2 }, { epoch: 4 }, { runnerId: other }])
    expect(await take(change)).toBeUndefined();
  expect(await take()).toMatchObject({ attemptId, epoch: 3 });
  expect(await take()).toBeUndefined();
});

test("a heartbeat renews what this connection holds, in the epoch that it names, and nothing else", async () => {
  const { key, runner, spec } = await leased();
  const { attemptId, epoch } = spec;
  const other = await hub.runner();
  await hub.db.query("update runners set instance_id = 'theirs' where id = $1", [other.id]);
  const renew = async (change: Partial<HeartbeatFacts> = {}) => {
    await hub.db.query(
      "update job_attempts set lease_renewed_at = now() - interval '15 seconds' where id = $1",
      [attemptId],
    );
    const own = { runnerId: key.id, instanceId: runner.instanceId, leases: [{ attemptId, epoch }] };
    const facts = { load: null, freeDiskBytes: null, ...own, ...change };
    const { current, renewed } = await renewLeases(hub.db, facts);
    const row = await hub.db.one<{ fresh: boolean }>(
      "select lease_renewed_at > now() - interval '10 seconds' as fresh from job_attempts where id = $1",
      [attemptId],
    );
    return { current, renewed: renewed.length, fresh: row?.fresh };
  };
  const nothing = { current: true, renewed: 0, fresh: false };
  expect(await renew()).toEqual({ current: true, renewed: 1, fresh: true });
  expect(await renew({ leases: [{ attemptId, epoch: epoch + 1 }] })).toEqual(nothing);
  expect(await renew({ leases: [{ attemptId, epoch: epoch - 1 }] })).toEqual(nothing);
  expect(await renew({ leases: [] })).toEqual(nothing);
  expect(await renew({ runnerId: other.id, instanceId: "theirs" })).toEqual(nothing);
  expect(await renew({ instanceId: "an older one" })).toEqual({ ...nothing, current: false });
  await hub.db.query("update job_attempts set state = 'ended' where id = $1", [attemptId]);
  expect(await renew()).toEqual(nothing);
  await hub.db.query("update job_attempts set state = 'leased' where id = $1", [attemptId]);
  await hub.db.query("update runners set revoked_at = now() where id = $1", [key.id]);
  expect(await renew()).toEqual({ ...nothing, current: false });
});

test("the same messages again change nothing", async () => {
  const { runner, spec, job } = await leased();
  const { attemptId, epoch } = spec;
  const repeat = async (say: () => Promise<{ t: string }>) => {
    expect(await say()).toMatchObject({ t: "ack" });
    expect(await say()).toMatchObject({ t: "ack" });
  };
  await repeat(() => runner.ask({ t: "offer_answer", attemptId, epoch, accept: true, reject: null }));
  await repeat(() => runner.ask({ t: "started", attemptId, epoch, timeMs: Date.now() }));
  await repeat(() =>
    runner.ask({ t: "step_started", attemptId, epoch, position: 0, name: "s", timeMs: Date.now() }),
  );
  const ended = { position: 0, status: "success", reason: null, message: null, exitCode: 0 } as const;
  const stepEnded = (status: "success" | "failed") => {
    const times = { startedAtMs: Date.now(), finishedAtMs: Date.now() };
    return runner.ask({ t: "step_ended", attemptId, epoch, step: { ...ended, ...times, status } });
  };
  await repeat(() => stepEnded("success"));
  expect(await stepEnded("failed")).toMatchObject({ t: "ack" });
  const steps = await hub.db.query("select status from steps where attempt_id = $1", [attemptId]);
  expect(steps).toEqual([{ status: "success" }]);
  await runner.endStreams(spec);
  await repeat(() => runner.done(spec, success));
  // A different result after the first one was taken is not heard.
  expect(await runner.done(spec, { ...success, status: "failed", reason: "exit:1" })).toMatchObject({
    t: "ack",
  });
  expect(await hub.attempt(attemptId)).toMatchObject({ status: "success", epoch: 1 });
  const facts = await hub.db.query("select from outbox where payload ->> 'pipelineId' = $1", [
    job.pipelineId,
  ]);
  expect(facts).toHaveLength(2);
});

async function lateJoin(first: ProtocolRunner, credential: string, id: string) {
  const second = hub.connect(server, { id, credential });
  await second.opened();
  second.sayHello();
  await eventually(() => second.closed);
  expect(first.closed).toBeUndefined();
  return second.closed;
}

test("two live runners with one key: the second is refused and both are flagged", async () => {
  const key = await hub.runner();
  const first = hub.connect(server, key);
  await first.hello();
  expect(await lateJoin(first, key.credential, key.id)).toMatchObject({ code: 4409 });
  expect(await actions(key.id)).toEqual(["runner.duplicate"]);
  const row = await hub.db.one<{ seen: Date | null }>(
    "select duplicate_seen_at as seen from runners where id = $1",
    [key.id],
  );
  expect(row?.seen).toBeInstanceOf(Date);
});

test("the same on two servers: the second is asked to come back later", async () => {
  const key = await hub.runner();
  const first = hub.connect(server, key);
  await first.hello();
  const second = hub.connect(await hub.server(), key);
  await second.opened();
  second.sayHello();
  await eventually(() => second.closed);
  expect(second.closed).toMatchObject({ code: 4429 });
  expect(await actions(key.id)).toEqual(["runner.duplicate"]);
  // The first one is not heard of any more, as when its machine and its server have died.
  await hub.db.query("update runners set last_seen_at = now() - interval '1 minute' where id = $1", [key.id]);
  await hub.connect(await hub.server(), key).hello();
  expect(await actions(key.id)).toEqual(["runner.duplicate"]);
});

test("a connection that ends leaves its own place, and no newer one", async () => {
  const { id: runnerId } = await hub.runner();
  const [older, newer] = ["2026-01-01 00:00:00+00", "2026-01-01 00:00:01+00"];
  await hub.db.query(
    "update runners set instance_id = 'one', server_id = 'here', connected_at = $2 where id = $1",
    [runnerId, newer],
  );
  const isConnected = async () =>
    hub.db.one("select instance_id is not null as connected from runners where id = $1", [runnerId]);
  await releaseConnection(hub.db, { runnerId, serverId: "here", connectedAt: older });
  await releaseConnection(hub.db, { runnerId, serverId: "elsewhere", connectedAt: newer });
  expect(await isConnected()).toEqual({ connected: true });
  await releaseConnection(hub.db, { runnerId, serverId: "here", connectedAt: newer });
  expect(await isConnected()).toEqual({ connected: false });
});

test("a reconnecting instance replaces its old connection and keeps its leases", async () => {
  const { key, label, runner, spec } = await leased();
  const channel = spec.streams[1]?.channel ?? 0;
  runner.log(channel, 0, "before\n");
  await runner.take("log_ack");
  const again = hub.connect(await hub.server(), key, { instanceId: runner.instanceId, labels: [label] });
  // The instance's key was replaced meanwhile.
  hub.jobTokenKeys = [Buffer.alloc(32, 8), ...hub.jobTokenKeys];
  const held = { attemptId: spec.attemptId, epoch: spec.epoch, state: "running", streams: {} } as const;
  const gone = {
    attemptId: "att_00000000000000000000000000",
    epoch: 3,
    state: "running",
    streams: {},
  } as const;
  const welcome = await again.hello([held, gone]);
  expect(welcome.leases.map((lease) => lease.keep)).toEqual([true, false]);
  const kept = welcome.leases[0]?.spec as LeaseSpec;
  expect(kept.token).toBe(spec.token);
  expect(kept.streams[1]?.nextOffset).toBe(7);
  await eventually(() => runner.closed);
  expect(runner.closed).toMatchObject({ code: 4409 });
  again.log(kept.streams[1]?.channel ?? 0, 7, "after\n", 2);
  await again.take("log_ack", (ack) => ack.nextOffset === 13);
  await again.endStreams(kept, { [kept.streams[1]?.channel ?? 0]: "before\nafter\n" });
  expect(await again.done(kept)).toMatchObject({ t: "ack" });
});

test("a lease whose message was lost is sent once more", async () => {
  const { key, label, runner, spec } = await leased();
  runner.vanish();
  const again = hub.connect(server, key, { instanceId: runner.instanceId, labels: [label] });
  await again.hello([]);
  const { spec: resent } = await again.take("lease");
  expect(resent).toMatchObject({ attemptId: spec.attemptId, epoch: spec.epoch, token: spec.token });
});
