/** Rows R7 and S10 of reliability.md, small: the worker dies at any moment, and the receiver does all that receivers do. */
import { afterEach, beforeAll, expect, test } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { hookInstance, type InstanceWebhook } from "../../support/instance-webhook.ts";
import {
  accepting,
  acceptingAfter,
  refusing,
  resetting,
  signatureOf,
  withoutEnd,
  type Answer,
  type Received,
} from "../../support/webhook-receiver.ts";
import { restoreWorker, sharedWorkerBed, type SharedWorkerBed } from "../../support/shared-worker-bed.ts";
import { isFull, size } from "../../support/size.ts";

let bed: SharedWorkerBed;
let worker: SharedWorkerBed["worker"];
let receiver: SharedWorkerBed["receiver"];
beforeAll(async () => {
  bed = await sharedWorkerBed();
  ({ worker, receiver } = bed);
});
afterEach(() => restoreWorker(bed));

type Hook = InstanceWebhook;

const hooked = (body: object = {}): Promise<Hook> => hookInstance(bed.instance, receiver, body);

/** So many events. */
async function change(hook: Hook, from: number, count: number): Promise<void> {
  for (let number = from; number < from + count; number += 1) await hook.change(`${number}`);
}

const at = (hook: Hook) => hook.received();
const idOf = ({ headers }: Received) => String(headers["x-svc-delivery"]);
const numbersAt = (hook: Hook) => new Set(at(hook).map(({ json }) => json["sequence"]));
const numbered = (count: number) => new Set(Array.from({ length: count }, (_, index) => index + 1));
/** Nothing waits also while a worker that has just started does not follow events yet. */
const allAccepted = (hook: Hook, count: number) =>
  eventually(async () => numbersAt(hook).size === count && (await hook.waiting()) === 0, {
    timeoutMs: 90_000,
  });

const points: readonly CrashPoint[] = ["webhook.sent-before-recorded", "webhook.fanned-out-before-sent"];
// One of them in each `npm test`: worker-points.test.ts.
test.runIf(isFull).each(points)(
  "a worker that dies at %s loses nothing and makes nothing up",
  async (point) => {
    const hook = await hooked();
    await worker.kill();
    worker.start({ FORGELINE_CRASH_AT: point });
    await change(hook, 0, 3);
    await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
    worker.start();
    await allAccepted(hook, 3);
    expect(numbersAt(hook)).toEqual(numbered(3));
    expect(new Set(at(hook).map(idOf)).size).toBe(3);
  },
  180_000,
);

/** What the receiver does between two answers that accept. */
const misbehaviours: Answer[] = [
  refusing(500),
  refusing(410),
  resetting,
  acceptingAfter(1_000),
  withoutEnd,
  (_request, response) => void response.writeHead(302, { location: "https://127.0.0.1/" }).end(),
];

test("whatever the receiver does, and though the worker dies, each event arrives, signed, under one id, and in order where that is asked", async () => {
  const [hook, ordered] = [await hooked(), await hooked({ ordered: true })];
  let turn = 0;
  receiver.answer = (request, response, count) => {
    if (request.path === ordered.path) {
      refusing(503)(request, response, count);
      return;
    }
    turn += 1;
    const act = turn % 2 === 0 ? accepting : misbehaviours[Math.floor(turn / 2) % misbehaviours.length];
    act?.(request, response, count);
  };
  const [count, fewer] = [size(24, 40), 6];
  await change(hook, 0, count / 2);
  await change(ordered, 0, fewer);
  await eventually(() => at(ordered).length > 0, { timeoutMs: 60_000 });
  await worker.kill();
  await change(hook, count / 2, count / 2);
  worker.start();
  await eventually(() => numbersAt(hook).size >= count / 2, { timeoutMs: 60_000 });
  await worker.kill();
  worker.start();
  receiver.answer = accepting;
  await allAccepted(hook, count);
  await allAccepted(ordered, fewer);
  const received = at(hook);
  expect(numbersAt(hook)).toEqual(numbered(count));
  expect(new Set(received.map(idOf)).size).toBe(count);
  for (const { body, headers } of received)
    expect(headers["x-svc-signature-256"]).toBe(signatureOf(hook.secret, body));
  const accepted = at(ordered).map(({ json }) => Number(json["sequence"]));
  expect(accepted).toEqual(accepted.toSorted((a, b) => a - b));
  expect(numbersAt(ordered)).toEqual(numbered(fewer));
}, 240_000);
