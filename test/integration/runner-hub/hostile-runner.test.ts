/** One runner, as anybody may have who has a repository, says what costs the server much: it gets nothing for it. */
import { WebSocket } from "ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

let hub: HubFixture;
let server: HubServer;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server({ heartbeatMs: 3_600_000 });
});
afterAll(() => hub.close());

async function connected(options = {}) {
  const key = await hub.runner();
  const runner = hub.connect(server, key, options);
  await runner.hello();
  return { key, runner };
}

test("a runner that says it has more slots than one can be registered with is not let in", async () => {
  const greedy = await hub.connect(server, await hub.runner(), { capacity: 1_001 }).opened();
  greedy.sayHello();
  expect(await greedy.answer(1)).toMatchObject({ t: "nack", code: "bad_message" });
  await connected({ capacity: 1_000 });
});

test("an answer about an offer that was never made rests no runner", async () => {
  const { runner } = await connected({ labels: ["wakeful"] });
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
  const { runner } = await connected({ labels: ["little disk"], capacity: 1_000 });
  await hub.queue({ labels: ["little disk"] });
  const first = await runner.take("offer");
  const no = { t: "offer_answer", accept: false } as const;
  const { attemptId, epoch } = first;
  expect(await runner.ask({ ...no, attemptId, epoch, reject: "full" })).toMatchObject({ t: "ack" });
  const second = await runner.take("offer");
  expect(second.attemptId).toBe(attemptId);
  const answer = { ...no, attemptId, epoch: second.epoch, reject: "disk" } as const;
  expect(await runner.ask(answer)).toMatchObject({ t: "ack" });
  const { runner: other } = await connected({ labels: ["little disk"] });
  expect(await other.acceptNext()).toMatchObject({ attemptId });
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
