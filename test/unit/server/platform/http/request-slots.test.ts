import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import type { RequestSlotLimits } from "@forgeline/server/config/request.ts";
import { createRequestSlots } from "@forgeline/server/platform/http/request-slots.ts";

const response = () => new ServerResponse(new IncomingMessage(new Socket()));
const places = (limits: Partial<RequestSlotLimits> = {}) =>
  createRequestSlots({ atOnce: 1, longLine: 10, maxWaiting: 10, waitMs: 60_000, ...limits }, new Registry());

/** Whether it has its place by now. */
async function isIn(entering: Promise<unknown>): Promise<boolean> {
  const waiting = Symbol("waiting");
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([entering, Promise.resolve(waiting)])) !== waiting;
}

test("who waits comes in in the order of arrival; others have places of their own", async () => {
  const { enter } = places();
  const leave = await enter("ada", response());
  const [second, third] = [enter("ada", response()), enter("ada", response())];
  expect(await isIn(second)).toBe(false);
  expect(await isIn(enter("bob", response()))).toBe(true);
  leave();
  leave();
  expect([await isIn(second), await isIn(third)]).toEqual([true, false]);
  (await second)();
  expect(await isIn(third)).toBe(true);
});

test("who goes away while waiting leaves the line", async () => {
  const { enter } = places();
  const leave = await enter("ada", response());
  const impatient = response();
  const second = enter("ada", impatient);
  const third = enter("ada", response());
  impatient.emit("close");
  await expect(second).rejects.toMatchObject({ code: "unavailable" });
  leave();
  expect(await isIn(third)).toBe(true);
});

test("who has gone before does not get into the line", async () => {
  const { enter } = places();
  const gone = response();
  gone.destroy();
  await once(gone, "close");
  await expect(enter("ada", gone)).rejects.toMatchObject({ code: "unavailable" });
  expect(await isIn(enter("ada", response()))).toBe(true);
});

test("a long line moves one by one until it is short again, also by those who go away", async () => {
  const { enter } = places({ atOnce: 3, longLine: 2 });
  const answers = Array.from({ length: 8 }, response);
  const entering = answers.map((res) => enter("ada", res));
  const areIn = async () => (await Promise.all(entering.map(isIn))).filter(Boolean).length;
  expect(await areIn()).toBe(3);
  const leaves = await Promise.all(entering.slice(0, 3));
  leaves[0]!();
  leaves[1]!();
  expect(await areIn()).toBe(3);
  leaves[2]!();
  expect(await areIn()).toBe(4);
  const gone = entering.slice(6).map((each) => expect(each).rejects.toMatchObject({ code: "unavailable" }));
  for (const res of answers.slice(6)) res.emit("close");
  await Promise.all(gone);
  expect(await Promise.all(entering.slice(4, 6).map(isIn))).toEqual([true, true]);
});

test("a line has an end, and so has the wait", async () => {
  const refused = { code: "rate_limit_exceeded", message: expect.stringContaining("send fewer at once") };
  const short = places({ maxWaiting: 1 });
  const leave = await short.enter("ada", response());
  const waiting = short.enter("ada", response());
  await expect(short.enter("ada", response())).rejects.toMatchObject(refused);
  leave();
  (await waiting)();
  const brief = places({ waitMs: 1 });
  await brief.enter("ada", response());
  await expect(brief.enter("ada", response())).rejects.toMatchObject(refused);
});
