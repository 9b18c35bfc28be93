/** Tries of secrets count by address and by user; whichever is tighter refuses. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anonymousActor, type Actor } from "@forgeline/server/platform/access/actor.ts";
import { createRateLimiter, type RateLimiter } from "@forgeline/server/edges/http/rate-limiter.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { limitTable, startLimiter, type Limiter } from "./fixture.ts";

let database: TestDatabase;
let limiter: Limiter;
let gate: RateLimiter;
beforeAll(async () => {
  database = await testDatabase();
  const auth = { requests: 10, windowSeconds: 60 };
  const both = { user: auth, address: auth };
  const table = { ...limitTable({ requests: 0, windowSeconds: 60 }), auth: both, web: both };
  limiter = startLimiter(database.url, table);
  gate = createRateLimiter(limiter.limits);
});
afterAll(async () => {
  await limiter?.stop();
  await database?.drop();
});

const from = (ipAddress: string): Actor => ({
  ...anonymousActor,
  request: { id: "1", ipAddress, userAgent: "" },
});

async function tries(actor: Actor): Promise<{ allowed: boolean; remaining: unknown }> {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const allowed = await gate.enter(res, actor, "auth").then(
    () => true,
    () => false,
  );
  return { allowed, remaining: res.getHeader("X-RateLimit-Remaining") };
}

test("ten a minute from an address", async () => {
  for (let i = 9; i >= 0; i--)
    expect(await tries(from("192.0.2.1"))).toEqual({ allowed: true, remaining: i });
  expect(await tries(from("192.0.2.1"))).toEqual({ allowed: false, remaining: 0 });
  expect(await tries(from("192.0.2.2"))).toEqual({ allowed: true, remaining: 9 });
});

test("ten a minute of a user, from however many addresses", async () => {
  const user = (i: number): Actor => ({ ...from(`198.51.100.${i}`), kind: "user", userId: "usr_1" });
  for (let i = 0; i < 10; i++) expect((await tries(user(i))).allowed).toBe(true);
  expect((await tries(user(11))).allowed).toBe(false);
});

test("a browser session counts as web, not as core", async () => {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const session: Actor = { ...from("192.0.2.9"), kind: "user", userId: "usr_2", sessionId: "ses_1" };
  await gate.enter(res, session, "core");
  expect(res.getHeader("X-RateLimit-Resource")).toBe("web");
});
