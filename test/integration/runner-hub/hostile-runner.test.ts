/** One runner, as anybody may have who has a repository, says what costs the server much: it gets nothing for it. */
import { WebSocket } from "ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { buildStep } from "../../support/lease-spec.ts";
import { encodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import { success } from "../../support/protocol-runner.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

let hub: HubFixture;
let server: HubServer;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server({ heartbeatMs: 3_600_000 });
});
afterAll(() => hub.close());

test("a runner that says it has more slots than one can be registered with is not let in", async () => {
  const greedy = await hub.connect(server, await hub.runner(), { capacity: 1_001 }).opened();
  greedy.sayHello();
  expect(await greedy.answer(1)).toMatchObject({ t: "nack", code: "bad_message" });
  await hub.connected(server, { capacity: 1_000 });
});

test("an answer about an offer that was never made rests no runner", async () => {
  const { runner } = await hub.connected(server, { labels: ["wakeful"] });
  const invented = { attemptId: "att_none", epoch: 1 };
  for (const reject of ["disk", "full", "draining"] as const)
    expect(await runner.ask({ t: "offer_answer", ...invented, accept: false, reject })).toMatchObject({
      t: "nack",
      code: "unknown_lease",
    });
  const { attemptId } = await hub.queue({ labels: ["wakeful"] });
  expect(await runner.acceptNext()).toMatchObject({ attemptId });
});

test("a runner whose disk is full rests as a whole, and a full one for a moment only", async () => {
  const { runner } = await hub.connected(server, { labels: ["little disk"], capacity: 1_000 });
  await hub.queue({ labels: ["little disk"] });
  const first = await runner.take("offer");
  const no = { t: "offer_answer", accept: false } as const;
  const { attemptId, epoch } = first;
  expect(await runner.ask({ ...no, attemptId, epoch, reject: "full" })).toMatchObject({ t: "ack" });
  const second = await runner.take("offer");
  expect(second.attemptId).toBe(attemptId);
  const answer = { ...no, attemptId, epoch: second.epoch, reject: "disk" } as const;
  expect(await runner.ask(answer)).toMatchObject({ t: "ack" });
  const { runner: other } = await hub.connected(server, { labels: ["little disk"] });
  expect(await other.acceptNext()).toMatchObject({ attemptId });
});

/** A message of the protocol with so many members that it does not know. */
const stuffed = (count: number) => `{"t":"ack","id":1,"x":[${'"",'.repeat(count)}0]}`;
const usedUp = { code: 4429 };

test("what is in a message is paid for before it is read, be it known to the protocol or not", async () => {
  const poor = await hub.server({ budget: { burst: 1_000, perSecond: 1 } });
  const runner = hub.connect(poor, await hub.runner());
  await runner.hello();
  for (let n = 0; n < 2; n++) runner.socket.send(stuffed(80_000));
  expect(await eventually(() => runner.closed)).toMatchObject(usedUp);
});

test("so it is before hello", async () => {
  const poor = await hub.server({ budget: { burst: 1_000, perSecond: 1 } });
  const runner = await hub.connect(poor, await hub.runner()).opened();
  for (let n = 0; n < 2; n++) runner.socket.send(`[${"{},".repeat(80_000)}0]`);
  expect(await eventually(() => runner.closed)).toMatchObject(usedUp);
});

test("a runner without a job has short messages only, and nobody has one of a million members", async () => {
  const { runner } = await hub.connected(server);
  for (let n = 0; n < 5; n++) runner.socket.send(`{"t":"ack","id":1,"x":"${"x".repeat(300_000)}"}`);
  const tooMuch = { code: 4400, reason: "more in one message than this runner has to say" };
  expect(await eventually(() => runner.closed)).toEqual(tooMuch);
  const stranger = await hub.connect(server, await hub.runner()).opened();
  for (let n = 0; n < 5; n++) stranger.socket.send(stuffed(500_000));
  expect(await eventually(() => stranger.closed)).toEqual(tooMuch);
});

test("a job of a thousand steps with a mebibyte of outputs is recorded, with what cannot be stored replaced", async () => {
  // No log: ending a thousand of them takes longer than all else.
  const impatient = await hub.server({ logsWaitMs: 0 });
  const runner = hub.connect(impatient, await hub.runner(), { labels: ["large"] });
  await runner.hello();
  const all = Array.from({ length: 1_000 }, (_, n) => buildStep(n, "true"));
  const { attemptId } = await hub.queue({ labels: ["large"], job: { steps: all } });
  const spec = await runner.acceptNext();
  const steps = all.map(({ position }) => ({
    position,
    status: "success" as const,
    reason: null,
    message: null,
    exitCode: 0,
    startedAtMs: 1,
    finishedAtMs: 2,
  }));
  const outputs = { large: "line\n".repeat(200_000), odd: "a\0b\ud800c" };
  const result = { ...success, steps, outputs, warnings: ["w".repeat(100_000)] };
  expect(await runner.done(spec, result)).toMatchObject({ t: "ack" });
  const row = await hub.db.one<{ outputs: object; warnings: string[] }>(
    "select outputs, warnings from job_attempts where id = $1",
    [attemptId],
  );
  expect(row?.outputs).toEqual({ ...outputs, odd: "a\ufffdb\ufffdc" });
  expect(row?.warnings).toEqual([`${"w".repeat(1_999)}…`]);
});

test("of connections that greet at the same time one is left", async () => {
  const key = await hub.runner();
  const runners = await Promise.all(
    Array.from({ length: 12 }, () => hub.connect(server, key, { instanceId: "the same" }).opened()),
  );
  for (const runner of runners) runner.sayHello();
  const open = () => runners.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
  await eventually(() => open().length === 1 && runners.filter(({ closed }) => closed).length === 11);
  expect(new Set(runners.map(({ closed }) => closed?.code))).toEqual(new Set([undefined, 4409]));
  const [left] = open();
  left?.beat([]);
  await left?.take("heartbeat_ack");
});

test("of two that greet at the same time the later is left, however long the earlier one takes", async () => {
  const key = await hub.runner();
  const [earlier, later] = await Promise.all([
    hub.connect(server, key, { instanceId: "the same" }).opened(),
    hub.connect(server, key, { instanceId: "the same" }).opened(),
  ]);
  // Each is looked for.
  const named = { epoch: 1, state: "running" as const, streams: {} };
  earlier.sayHello(Array.from({ length: 500 }, (_, n) => ({ attemptId: `att_none${n}`, ...named })));
  const place = () =>
    hub.db.one<{ connected_at: Date | null }>("select connected_at from runners where id = $1", [key.id]);
  await eventually(async () => (await place())?.connected_at);
  later.sayHello();
  await later.take("welcome");
  expect(await eventually(() => earlier.closed)).toMatchObject({ code: 4409 });
  later.beat([]);
  await later.take("heartbeat_ack");
});

async function auditOf(id: string, action: string): Promise<number> {
  const row = await hub.db.one<{ count: number }>(
    "select count(*)::int as count from audit_log where target_id = $1 and action = $2",
    [id, action],
  );
  return row?.count ?? 0;
}

test("one runner fills no audit log, whatever it goes on doing", async () => {
  const { key, runner } = await hub.connected(server);
  for (let n = 0; n < 15; n++) {
    const second = await hub.connect(server, key).opened();
    second.sayHello();
    expect(await eventually(() => second.closed)).toMatchObject({ code: 4409 });
  }
  expect(await auditOf(key.id, "runner.duplicate")).toBe(10);
  expect(runner.closed).toBeUndefined();
});

async function leased(label: string) {
  const { runner, key } = await hub.connected(server, { labels: [label] });
  await hub.queue({ labels: [label] });
  return { runner, key, spec: await runner.acceptNext() };
}

test("foreign leases in hello are bad frames, too", async () => {
  const specs = [];
  for (let n = 0; n < 7; n++) specs.push((await leased(`theirs ${n}`)).spec);
  const key = await hub.runner();
  const stranger = await hub.connect(server, key).opened();
  stranger.sayHello(
    specs.map(({ attemptId, epoch }) => ({ attemptId, epoch, state: "running", streams: {} })),
  );
  expect(await eventually(() => stranger.closed)).toMatchObject({ code: 4400 });
  expect(await auditOf(key.id, "runner.foreign_lease")).toBe(5);
});

test("a lease that is named often is handed over once", async () => {
  const { runner, key, spec } = await leased("often");
  runner.vanish();
  const again = hub.connect(server, key, { instanceId: runner.instanceId, labels: ["often"] });
  const { attemptId, epoch } = spec;
  const named = { attemptId, epoch, state: "accepted" as const, streams: {} };
  const { leases } = await again.hello(Array.from({ length: 500 }, () => named));
  expect(leases).toMatchObject([{ attemptId, keep: true }]);
});

test("log bytes that are durable are acknowledged again and not looked at", async () => {
  const { runner, spec } = await leased("twice");
  const channel = spec.streams[0]?.channel ?? 0;
  runner.log(channel, 0, "first\n");
  await runner.take("log_ack", (ack) => ack.nextOffset === 6);
  // Nothing that could be inflated.
  const payload = Buffer.alloc(40, 7);
  const header = { channel, offset: 0, firstLine: 0, rawLength: 6, compressed: true, timeRuns: [] };
  for (let n = 0; n < 8; n++) runner.socket.send(encodeLogFrame({ ...header, payload }));
  for (let n = 0; n < 8; n++) await runner.take("log_ack", (ack) => ack.nextOffset === 6);
  expect(runner.closed).toBeUndefined();
});
