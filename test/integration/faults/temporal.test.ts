/** Temporal is killed while a pipeline prints: what runs goes on, what is asked for waits, nothing is lost. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { KeyRotation } from "@forgeline/schemas/keys/resource.ts";
import { readBed, type RunningBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { changeSteadily, hookInstance, problemsAt } from "../../support/instance-webhook.ts";
import { programsOf } from "../../support/instance.ts";
import { startOwnBed } from "../../support/own-bed.ts";
import { steadyRequests } from "../../support/steady-requests.ts";
import { startReceiver, type Receiver } from "../../support/webhook-receiver.ts";

let own: RunningBed;
let bed: FaultBed;
let receiver: Receiver;
beforeAll(async () => {
  own = await startOwnBed();
  receiver = await startReceiver();
  const { caFile } = (await readBed()).certificates;
  const env = { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile };
  bed = await openFaultBed({ env });
});
afterAll(async () => {
  try {
    await bed?.closeEmpty();
  } finally {
    await own?.stop();
    await receiver?.close();
  }
});

it("delays decisions and nothing else", { timeout: 150_000 }, async () => {
  const pids = programsOf(bed.instance).map((program) => program.pid());
  // Its first jobs end while Temporal is away, so their facts wait in the outbox.
  const run = await bed.begin({ file: "stages", count: 1000, perPause: 50, seen: 200 });
  const requests = steadyRequests(bed.instance, { path: "/user", clients: 2 });
  await own.kill("temporal");
  const asked = await bed.repository.begin({ count: 200, perPause: 50 });
  expect((await bed.judge(run)).problems).toEqual([]);
  expect((await bed.judge(asked)).problems).toEqual([]);
  expect(Object.keys(await requests.stop())).toEqual(["200"]);
  expect(programsOf(bed.instance).map((program) => program.isRunning() && program.pid())).toEqual(pids);
});

it("loses no event of a webhook, and no value while the key is replaced", { timeout: 150_000 }, async () => {
  const hook = await hookInstance(bed.instance, receiver);
  const changing = changeSteadily(hook);
  await eventually(() => changing.count() > 10);
  const { id } = await bed.instance.api<KeyRotation>("POST", "/admin/key-rotations");
  await own.kill("temporal");
  const before = changing.count();
  await eventually(() => changing.count() > before + 10, { timeoutMs: 60_000 });
  const acknowledged = await changing.stop();
  await eventually(async () => problemsAt(hook, acknowledged).length === 0 && (await hook.waiting()) === 0, {
    timeoutMs: 60_000,
  }).catch(() => undefined);
  expect(problemsAt(hook, acknowledged)).toEqual([]);
  const done = await eventually(
    async () => {
      const now = await bed.instance.api<KeyRotation>("GET", `/admin/key-rotations/${id}`);
      return now.state === "done" && now;
    },
    { timeoutMs: 90_000 },
  );
  expect(done).toMatchObject({ unreadable: 0 });
  await hook.change("after the rotation");
  await eventually(() => problemsAt(hook, ["after the rotation"]).length === 0, { timeoutMs: 30_000 });
});
