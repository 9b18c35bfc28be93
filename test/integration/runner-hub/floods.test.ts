/** Row 80 of security.md: a runner that floods is closed with a reason and stays away; an honest one never gets there. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pour, runnerFloods } from "../../hostile/frames.ts";
import { eventually } from "../../support/eventually.ts";
import { buildStep } from "../../support/lease-spec.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

let hub: HubFixture;
/** With a twentieth of the usual budget, and less for those who flood. */
let server: HubServer;
let flooded: HubServer;
const poured = 800;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server({ budget: { burst: 1_000, perSecond: 1 } });
  flooded = await hub.server({ budget: { burst: 400, perSecond: 1 } });
});
afterAll(() => hub.close());

const usedUp = { code: 4429, reason: expect.stringMatching(/^too many messages .* reconnect in \d+ s$/) };
const notUnderstood = { code: 4400 };

describe("a runner that floods", () => {
  it("is closed with a reason, whatever it sends", async () => {
    const floods = Object.entries(runnerFloods());
    const ends = await Promise.all(
      floods.map(async ([kind, flood]) => {
        const { runner } = await hub.connected(flooded);
        return [kind, await pour(runner.socket, flood, poured)] as const;
      }),
    );
    const malformed = new Set(["not JSON", "binary", "hello"]);
    for (const [kind, end] of ends)
      expect([kind, end]).toEqual([
        kind,
        expect.objectContaining(malformed.has(kind) ? notUnderstood : usedUp),
      ]);
  });

  it("is closed also when it always says the same of a job that it has", async () => {
    // Log frames have no price: they are read as fast as they are written.
    const { "log frames": _, ...kinds } = runnerFloods({ attemptId: "", epoch: 1, channel: 0 });
    const pourOne = async (kind: string) => {
      const { runner } = await hub.connected(flooded, { labels: [kind] });
      await hub.queue({ labels: [kind] });
      const { attemptId, epoch, streams } = await runner.acceptNext();
      const flood = runnerFloods({ attemptId, epoch, channel: streams[0]!.channel })[kind]!;
      const end = await pour(runner.socket, flood, poured);
      return { kind, end, state: (await hub.attempt(attemptId)).state };
    };
    const ends = await Promise.all(Object.keys(kinds).map(pourOne));
    expect(ends.length).toBe(5);
    for (const end of ends) expect(end).toMatchObject({ end: usedUp, state: "leased" });
  });

  it("stays away also when it only comes and speaks something else", async () => {
    const key = await hub.runner();
    const come = async () => {
      const runner = hub.connect(flooded, key, { subprotocols: ["svc-runner.v9"] });
      return eventually(() => runner.refused ?? runner.closed?.code);
    };
    const ends = new Set<number>();
    for (let n = 0; n < 12; n++) ends.add(await come());
    // The 4429 is of the connection that used up its budget.
    expect([...ends]).toEqual([4406, 4429, 429]);
  });

  it("may not come back before its time, and others do not notice", async () => {
    const { key, runner } = await hub.connected(flooded);
    const { runner: bystander } = await hub.connected(flooded);
    const { drain } = runnerFloods();
    if (!drain) throw new Error("no such kind");
    await pour(runner.socket, drain, poured);
    await hub.db.transaction(async (tx) => {
      // It is refused without a look into the database.
      await tx.query("lock table runners in access exclusive mode");
      const again = hub.connect(flooded, key);
      expect(await eventually(() => again.refused)).toBe(429);
    });
    bystander.beat([]);
    await bystander.take("heartbeat_ack");
    const text = await flooded.registry.metrics();
    expect(text).toMatch(/forgeline_runner_sockets_cut_off_total [1-9]/);
    expect(text).toMatch(/forgeline_runner_sockets_refused_total\{why="budget"\} [1-9]/);
  });
});

it("a runner with fifty busy jobs uses a twentieth of the usual budget at most", async () => {
  const { runner } = await hub.connected(server, { labels: ["busy"], capacity: 50 });
  const steps = Array.from({ length: 2 }, (_, n) => buildStep(n, "true"));
  const repositoryId = await hub.repository();
  for (let n = 0; n < 50; n++) await hub.queue({ repositoryId, labels: ["busy"], job: { steps } });
  const run = async () => {
    const spec = await runner.acceptNext();
    const { attemptId, epoch } = spec;
    runner.say({ t: "started", attemptId, epoch, timeMs: Date.now() });
    for (const { position, name } of spec.job.steps) {
      const step = { position, status: "success" as const, reason: null, message: null, exitCode: 0 };
      runner.say({ t: "step_started", attemptId, epoch, position, name, timeMs: Date.now() });
      runner.say({ t: "step_ended", attemptId, epoch, step: { ...step, startedAtMs: 0, finishedAtMs: 1 } });
    }
    await runner.endStreams(spec);
    expect(await runner.done(spec)).toMatchObject({ t: "ack" });
  };
  await Promise.all(Array.from({ length: 50 }, run));
  expect(runner.closed).toBeUndefined();
});

it("wrong credentials from one address are refused without a look, while known runners come in", async () => {
  const guarded = await hub.server();
  const key = await hub.runner();
  const first = hub.connect(guarded, key);
  await first.hello();
  first.vanish();
  const wrong = (n: number) => ({ id: "", credential: `svc_runner_${String(n).padStart(43, "x")}` });
  let began = performance.now();
  const tries = await hub.db.transaction(async (tx) => {
    // All are there before the first is known to be wrong.
    await tx.query("lock table runners in access exclusive mode");
    const before = guarded.handshakes();
    const coming = Array.from({ length: 90 }, (_, n) => hub.connect(guarded, wrong(n)));
    await eventually(() => guarded.handshakes() === before + coming.length);
    began = performance.now();
    return coming;
  });
  const answers = await Promise.all(tries.map((runner) => eventually(() => runner.refused)));
  expect(new Set(answers)).toEqual(new Set([401, 429]));
  // Sixty at once, and one more each second.
  const max = 60 + Math.ceil((performance.now() - began) / 1_000);
  expect(answers.filter((answer) => answer === 401).length).toBeLessThanOrEqual(max);
  await hub.connect(guarded, key, { instanceId: first.instanceId }).hello();
});
