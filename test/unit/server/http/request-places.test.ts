import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createRequestPlaces } from "@forgeline/server/http/request-places.ts";

const response = () => new ServerResponse(new IncomingMessage(new Socket()));
const places = (limits: { mostWaiting?: number; waitMs?: number } = {}) =>
  createRequestPlaces({ atOnce: 1, mostWaiting: 10, waitMs: 60_000, ...limits }, new Registry());

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

test("a line has an end, and so has the wait", async () => {
  const refused = { code: "rate_limit_exceeded", message: expect.stringContaining("send fewer at once") };
  const short = places({ mostWaiting: 1 });
  await short.enter("ada", response());
  void short.enter("ada", response());
  await expect(short.enter("ada", response())).rejects.toMatchObject(refused);
  const brief = places({ waitMs: 1 });
  await brief.enter("ada", response());
  await expect(brief.enter("ada", response())).rejects.toMatchObject(refused);
});
