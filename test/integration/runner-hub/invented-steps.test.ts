/** The steps of a job are those of its plan, whatever the runner that holds the lease says of others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { success } from "../../support/protocol-runner.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";
import { planStep } from "./queued-attempt.ts";

let hub: HubFixture;
let server: HubServer;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server();
});
afterAll(() => hub.close());

const result = { reason: null, message: null, exitCode: 0, startedAtMs: 1, finishedAtMs: 2 };

async function leased(steps = [planStep()]) {
  const label = `l${Math.random().toString(36).slice(2)}`;
  const runner = hub.connect(server, await hub.runner(), { labels: [label] });
  await runner.hello();
  const { attemptId } = await hub.queue({ labels: [label], job: { steps } });
  const { epoch, ...spec } = await runner.acceptNext();
  const stored = () =>
    hub.db.query("select position, name, status from steps where attempt_id = $1 order by position", [
      attemptId,
    ]);
  return { runner, spec: { ...spec, epoch }, lease: { attemptId, epoch }, stored };
}

test("a step that the plan does not have is refused, however often it is told of", async () => {
  const { runner, lease, stored } = await leased();
  const refused = { t: "nack", code: "bad_message", message: "The step does not exist in this job." };
  const started = { t: "step_started", ...lease, name: "made up", timeMs: 1 } as const;
  expect(await runner.ask({ ...started, position: 1 })).toMatchObject(refused);
  expect(await runner.ask({ ...started, position: 900 })).toMatchObject(refused);
  const step = { ...result, status: "success" } as const;
  expect(await runner.ask({ t: "step_ended", ...lease, step: { ...step, position: 1 } })).toMatchObject(
    refused,
  );
  expect(await stored()).toEqual([{ position: 0, name: "step one", status: "created" }]);
  for (const position of [2, 3]) runner.say({ ...started, position });
  await expect.poll(() => runner.closed).toMatchObject({ code: 4400, reason: "made a step up" });
});

test("nor does a result make one, and it counts for the steps that there are", async () => {
  const { runner, spec, stored } = await leased();
  await runner.endStreams(spec);
  const steps = [0, 1, 900].map((position) => ({ ...result, status: "success" as const, position }));
  expect(await runner.done(spec, { ...success, steps })).toMatchObject({ t: "ack" });
  expect(await stored()).toEqual([{ position: 0, name: "step one", status: "success" }]);
});

test("a step's name is the plan's, and what its expressions came to is cut", async () => {
  const dynamic = planStep({ position: 1, name: "for ${{ steps.first.outputs.target }}" });
  const { runner, lease, stored } = await leased([planStep(), dynamic, { ...dynamic, position: 2 }]);
  const names = ["another name", "for production", "x".repeat(5_000)];
  for (const [position, name] of names.entries())
    expect(await runner.ask({ t: "step_started", ...lease, position, name, timeMs: 1 })).toMatchObject({
      t: "ack",
    });
  const told = (await stored()) as { name: string }[];
  expect(told.map(({ name }) => name.slice(0, 20))).toEqual(["step one", "for production", "x".repeat(20)]);
  expect(told[2]!.name.length).toBeLessThanOrEqual(1_000);
});
