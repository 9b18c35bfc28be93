/** The socket itself: credentials, versions, frames that no honest runner sends, and goodbyes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

let hub: HubFixture;
let server: HubServer;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server({ windowBytesPerStream: 128 * 1024 });
});
afterAll(() => hub.close());

test("an unknown credential is refused at the upgrade", async () => {
  const runner = hub.connect(server, { id: "", credential: `svc_runner_${"x".repeat(43)}` });
  expect(await eventually(() => runner.refused)).toBe(401);
});

test("a user's token opens no runner socket", async () => {
  const runner = hub.connect(server, { id: "", credential: "svc_pat_something" });
  expect(await eventually(() => runner.refused)).toBe(401);
});

test("no common sub-protocol or protocol: 4406, which says what is spoken here", async () => {
  const other = hub.connect(server, await hub.runner(), { subprotocols: ["svc-runner.v9"] });
  expect(await eventually(() => other.closed)).toEqual({
    code: 4406,
    reason: "this server requires the sub-protocol svc-runner.v1",
  });
  const future = hub.connect(server, await hub.runner(), { protocols: [7, 8] });
  await future.opened();
  future.sayHello();
  expect(await eventually(() => future.closed)).toEqual({
    code: 4406,
    reason: "this server supports 1; the runner supports 7, 8",
  });
});

test("a revoked runner is told so, connected or not", async () => {
  const { key, runner } = await hub.connected(server);
  await hub.db.transaction(async (tx) => {
    await tx.query("update runners set revoked_at = now() where id = $1", [key.id]);
    await tx.notify("runner", key.id);
  });
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4403 });
  const again = hub.connect(server, key);
  expect(await eventually(() => again.closed)).toMatchObject({ code: 4403 });
});

test("the first message must be hello", async () => {
  const runner = await hub.connect(server, await hub.runner()).opened();
  runner.beat([]);
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4400 });
});

test("malformed messages are refused by number, and end the connection when they go on", async () => {
  const { runner } = await hub.connected(server);
  runner.socket.send(JSON.stringify({ t: "started", id: 71, attemptId: 5 }));
  expect(await runner.answer(71)).toMatchObject({ t: "nack", code: "bad_message" });
  runner.socket.send(JSON.stringify({ t: "no_such_message", id: 72 }));
  expect(await runner.answer(72)).toMatchObject({ t: "nack", code: "bad_message" });
  runner.beat([]);
  await runner.take("heartbeat_ack");
  expect(runner.closed).toBeUndefined();
  for (const junk of ["not json", '{"__proto__":1}', "null"]) runner.socket.send(junk);
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4400 });
});

test("broken binary frames end the connection, and nothing else", async () => {
  const { runner: bystander } = await hub.connected(server);
  const { runner } = await hub.connected(server);
  for (let length = 0; length < 5; length++) runner.socket.send(Buffer.alloc(length * 9, 1));
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4400 });
  bystander.beat([]);
  await bystander.take("heartbeat_ack");
});

test("a frame past 2 MiB ends the connection", async () => {
  const { runner } = await hub.connected(server);
  runner.socket.send("x".repeat(2 * 1024 * 1024 + 1));
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 1009 });
});

test("log frames: a gap asks for a rewind, repetitions are dropped, the window is enforced", async () => {
  const { runner } = await hub.connected(server, { labels: ["windowed"] });
  await hub.queue({ labels: ["windowed"] });
  const spec = await runner.acceptNext();
  const channel = spec.streams[0]?.channel ?? 0;
  runner.log(channel, 5, "later\n");
  await runner.take("log_nack", (nack) => nack.channel === channel && nack.expected === 0);
  runner.log(channel, 0, "first\n");
  await runner.take("log_ack", (ack) => ack.nextOffset === 6);
  runner.log(channel, 0, "first\n");
  await runner.take("log_ack", (ack) => ack.nextOffset === 6);
  const big = `${"y".repeat(63 * 1024)}\n`;
  for (let n = 0; n < 8; n++) runner.log(channel, 6 + n * big.length, big, n + 2);
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4429 });
});

test("the window of the connection is enforced over all of its streams", async () => {
  const narrow = await hub.server({ windowBytes: 128 * 1024 });
  const { runner } = await hub.connected(narrow, { labels: ["narrow"] });
  await hub.queue({ labels: ["narrow"] });
  const { streams } = await runner.acceptNext();
  const big = `${"y".repeat(63 * 1024)}\n`;
  for (let n = 0; n < 4; n++)
    for (const { channel } of streams) runner.log(channel, n * big.length, big, n + 1);
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4429 });
});

test("a silent connection is closed", async () => {
  const impatient = await hub.server({ silentMs: 300, heartbeatMs: 100 });
  const { runner } = await hub.connected(impatient);
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4408 });
  await impatient.stop();
});

test("pause and drain reach the connection; resume lets offers flow again", async () => {
  const { key, runner } = await hub.connected(server, { labels: ["drained"] });
  const set = (column: string, value: boolean) =>
    hub.db.transaction(async (tx) => {
      await tx.query(`update runners set ${column} = $2 where id = $1`, [key.id, value]);
      await tx.notify("runner", key.id);
    });
  await set("draining", true);
  await runner.take("drain", (drain) => drain.draining);
  const job = await hub.queue({ labels: ["drained"] });
  await set("paused", true);
  await set("draining", false);
  await runner.take("drain", (drain) => !drain.draining);
  // What is offered after this was looked at after it.
  const { runner: marker } = await hub.connected(server, { labels: ["marker"] });
  await hub.queue({ labels: ["marker"] });
  await marker.acceptNext();
  expect((await hub.attempt(job.attemptId)).state).toBe("queued");
  await set("paused", false);
  expect(await runner.acceptNext()).toMatchObject({ attemptId: job.attemptId });
});

test("a runner that drains by itself gets nothing, and is shown so", async () => {
  const { key, runner } = await hub.connected(server, { labels: ["tired"] });
  expect(await runner.ask({ t: "drain", draining: true })).toMatchObject({ t: "ack" });
  const job = await hub.queue({ labels: ["tired"] });
  const fresh = hub.connect(server, await hub.runner(), { labels: ["tired"] });
  await fresh.hello();
  // The first offer: none was given to the tired one and came back.
  expect(await fresh.acceptNext()).toMatchObject({ attemptId: job.attemptId, epoch: 1 });
  const row = await hub.db.one("select agent_draining from runners where id = $1", [key.id]);
  expect(row).toEqual({ agent_draining: true });
});

test("a runner on whose machine no job can run gets nothing until it can, and is shown so", async () => {
  const key = await hub.runner();
  const runner = hub.connect(server, key, { labels: ["poor"], problem: "It may not raise limits." });
  await runner.hello();
  const shown = () => hub.db.one("select agent_draining, problem from runners where id = $1", [key.id]);
  expect(await shown()).toEqual({ agent_draining: true, problem: "It may not raise limits." });
  const job = await hub.queue({ labels: ["poor"] });
  expect((await hub.attempt(job.attemptId)).state).toBe("queued");
  expect(await runner.ask({ t: "drain", draining: false })).toMatchObject({ t: "ack" });
  expect(await runner.acceptNext()).toMatchObject({ attemptId: job.attemptId });
  expect(await shown()).toEqual({ agent_draining: false, problem: null });
});

test("a server that goes away says goodbye, and its runners are shown as gone", async () => {
  const leaving = await hub.server();
  const { key, runner } = await hub.connected(leaving);
  await leaving.stop();
  const bye = await runner.take("bye");
  expect(bye.reconnectAfterMs).toBeLessThanOrEqual(3_000);
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4503 });
  await eventually(async () => {
    const row = await hub.db.one<{ instance_id: string | null }>(
      "select instance_id from runners where id = $1",
      [key.id],
    );
    return row?.instance_id === null;
  });
});

test("metrics tell of sockets, queue and jobs", async () => {
  const observed = await hub.server();
  const { runner } = await hub.connected(observed, { labels: ["metered"] });
  await hub.queue({ labels: ["metered"] });
  await hub.queue({ labels: ["nobody", "has=these"] });
  await runner.runTrivially(await runner.acceptNext());
  const text = await observed.registry.metrics();
  expect(text).toContain('forgeline_queue_length{labels="nobody,has=these"} 1');
  // Of the first look already, not of the one before.
  expect(text).toMatch(/forgeline_queue_oldest_seconds\{labels="nobody,has=these"\} \d/);
  expect(text).toMatch(/forgeline_queue_owner_length\{owner="ada"\} [1-9]/);
  expect(text).toMatch(/forgeline_queue_owner_oldest_seconds\{owner="ada"\} \d/);
  expect(text).toContain("forgeline_runner_sockets 1");
  expect(text).toMatch(/forgeline_queue_wait_seconds_count [1-9]/);
  expect(text).toContain('forgeline_job_duration_seconds_count{outcome="success"} 1');
  expect(text).toContain('forgeline_offers_total{answer="accept"} 1');
  expect(text).toMatch(/forgeline_job_attempts\{state="leased"\} \d/);
  await observed.stop();
});
