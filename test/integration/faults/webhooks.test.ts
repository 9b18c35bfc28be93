/** Rows R7 and S10 of reliability.md, small: the worker dies at any moment, and the receiver does all that receivers do. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { readBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { hookInstance, type InstanceWebhook } from "../../support/instance-webhook.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";
import {
  accepting,
  acceptingAfter,
  refusing,
  resetting,
  signatureOf,
  startReceiver,
  withoutEnd,
  type Answer,
  type Received,
  type Receiver,
} from "../../support/webhook-receiver.ts";
import { telling } from "../../support/size.ts";

let instance: TestInstance;
let worker: Program;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  const { caFile } = (await readBed()).certificates;
  instance = await startTestInstance({
    runners: 0,
    env: { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile },
  });
  if (!instance.worker) throw new Error("no worker");
  worker = instance.worker;
});
afterAll(async () => {
  await instance?.stop();
  await receiver?.close();
});
afterEach(() => {
  receiver.answer = accepting;
  if (!worker.isRunning()) worker.start();
});

type Hook = InstanceWebhook;

const hooked = (body: object = {}): Promise<Hook> => hookInstance(instance, receiver, body);

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

test.each(telling<CrashPoint>(["webhook.sent-before-recorded"], ["webhook.fanned-out-before-sent"]))(
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

test("whatever the receiver does, and though the worker dies, each event arrives, signed, under one id", async () => {
  const hook = await hooked();
  let turn = 0;
  receiver.answer = (request, response, count) => {
    turn += 1;
    const act = turn % 2 === 0 ? accepting : misbehaviours[Math.floor(turn / 2) % misbehaviours.length];
    act?.(request, response, count);
  };
  const count = 40;
  await change(hook, 0, count / 2);
  await worker.kill();
  await change(hook, count / 2, count / 2);
  worker.start();
  await eventually(() => numbersAt(hook).size >= count / 2, { timeoutMs: 60_000 });
  await worker.kill();
  worker.start();
  receiver.answer = accepting;
  await allAccepted(hook, count);
  const received = at(hook);
  expect(numbersAt(hook)).toEqual(numbered(count));
  expect(new Set(received.map(idOf)).size).toBe(count);
  for (const { body, headers } of received)
    expect(headers["x-svc-signature-256"]).toBe(signatureOf(hook.secret, body));
}, 240_000);

test("an ordered webhook keeps the order while the receiver is away and the worker dies", async () => {
  const hook = await hooked({ ordered: true });
  receiver.answer = refusing(503);
  await change(hook, 0, 6);
  await eventually(() => at(hook).length > 0, { timeoutMs: 60_000 });
  await worker.kill();
  worker.start();
  receiver.answer = accepting;
  await allAccepted(hook, 6);
  const accepted = at(hook).map(({ json }) => Number(json["sequence"]));
  expect(accepted).toEqual(accepted.toSorted((a, b) => a - b));
  expect(numbersAt(hook)).toEqual(numbered(6));
}, 180_000);
