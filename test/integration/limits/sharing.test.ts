/** Row 54 of security.md: whatever the number of processes, all together give exactly the limit. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import pg from "pg";
import { eventually } from "../../support/eventually.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { limitTable, newSubject, startLimiter, type Limiter } from "./fixture.ts";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const hour = { windowSeconds: 3600 };
const soon = 200;
const start = (core: { requests: number; windowSeconds: number }, idleAllotmentMs?: number) =>
  startLimiter(database.url, limitTable(core), idleAllotmentMs);

async function allowed(limiter: Limiter, subject = newSubject()): Promise<boolean> {
  return (await limiter.limits.take("core", subject))?.allowed ?? false;
}

async function takenOf(key: string): Promise<number> {
  const { rows } = await client.query<{ taken: string }>(
    "select taken from rate_limit_windows where subject = $1",
    [key],
  );
  return Number(rows[0]?.taken ?? 0);
}

describe("processes on one database", () => {
  it.each([1, 7, 60, 1000, 5000])("give exactly %d in all, however they are asked", async (requests) => {
    const limiters = [
      start({ requests, ...hour }, soon),
      start({ requests, ...hour }, soon),
      start({ requests, ...hour }, soon),
    ];
    const subject = newSubject();
    let given = 0;
    const askInTurns = async (limiter: Limiter) => {
      for (let i = 0; i < requests / 3 - 1; i++) if (await allowed(limiter, subject)) given += 1;
    };
    await Promise.all(limiters.map(askInTurns));
    const crowd = Array.from({ length: 300 }, (_, i) => allowed(limiters[i % 3] as Limiter, subject));
    given += (await Promise.all(crowd)).filter(Boolean).length;
    // What one holds unused comes back to the others.
    await eventually(
      async () => {
        if (await allowed(limiters[0] as Limiter, subject)) given += 1;
        return given >= requests;
      },
      { intervalMs: 1 },
    );
    for (const limiter of limiters) expect(await allowed(limiter, subject)).toBe(false);
    expect(given).toBe(requests);
    expect(await takenOf(subject.key)).toBe(requests);
    await Promise.all(limiters.map((limiter) => limiter.stop()));
  });

  it("ask the database seldom", async () => {
    const limiter = start({ requests: 5000, ...hour });
    const subject = newSubject();
    for (let i = 0; i < 2000; i++) expect(await allowed(limiter, subject)).toBe(true);
    const [reservations] = (await limiter.metrics.reservations.get()).values;
    expect(reservations?.value).toBeLessThan(80);
    await limiter.stop();
  });

  it("go on after a restart where they stopped, and after a crash have lost a hundredth at most", async () => {
    const subject = newSubject();
    const first = start({ requests: 5000, ...hour });
    for (let i = 0; i < 1000; i++) await allowed(first, subject);
    await first.stop();
    expect(await takenOf(subject.key)).toBe(1000);
    const second = start({ requests: 5000, ...hour });
    expect((await second.limits.take("core", subject))?.status.remaining).toBe(3999);
    for (let i = 1; i < 1000; i++) await allowed(second, subject);
    await second.crash();
    const third = start({ requests: 5000, ...hour });
    const { remaining = 0 } = (await third.limits.take("core", subject))?.status ?? {};
    expect(remaining).toBeLessThan(3000);
    expect(remaining).toBeGreaterThanOrEqual(2999 - 50);
    await third.stop();
  });

  it("give back what they hold of a subject that is idle", async () => {
    const limiter = start({ requests: 5000, ...hour }, soon);
    const subject = newSubject();
    for (let i = 0; i < 300; i++) await allowed(limiter, subject);
    expect(limiter.limits.held("core", subject)).toBeGreaterThan(0);
    await eventually(async () => (await takenOf(subject.key)) === 300);
    await limiter.stop();
  });
});

describe("a refund", () => {
  it("costs nothing in all, also when it comes after the share was given back", async () => {
    const limiter = start({ requests: 10, ...hour }, soon);
    const subject = newSubject();
    for (let i = 0; i < 30; i++) (await limiter.limits.take("core", subject))?.refund();
    const late = await limiter.limits.take("core", subject);
    await eventually(async () => (await takenOf(subject.key)) === 1);
    late?.refund();
    late?.refund();
    await eventually(async () => (await takenOf(subject.key)) === 0);
    await limiter.stop();
  });
});

describe("a window", () => {
  it("gets nothing back of the one before", async () => {
    const [one, two] = [1, 2].map(() => start({ requests: 100, ...hour }));
    const subject = newSubject();
    const late = await one?.limits.take("core", subject);
    await client.query(
      `update rate_limit_windows set started_at = started_at - interval '2 hours',
         ends_at = ends_at - interval '2 hours' where subject = $1`,
      [subject.key],
    );
    for (let i = 0; i < 3; i++) await two?.limits.take("core", subject);
    await two?.stop();
    late?.refund();
    await one?.stop();
    expect(await takenOf(subject.key)).toBe(3);
  });

  it("begins with the first request and ends for all processes alike", async () => {
    const core = { requests: 3, windowSeconds: 2 };
    const [one, two] = [start(core), start(core)];
    const subject = newSubject();
    for (let i = 0; i < 3; i++) expect(await allowed(one, subject)).toBe(true);
    const refused = await two.limits.take("core", subject);
    expect(refused).toMatchObject({ allowed: false, status: { remaining: 0, limit: 3 } });
    await eventually(() => allowed(one, subject), { intervalMs: 20 });
    const now = await two.limits.take("core", subject);
    expect(now).toMatchObject({ allowed: true, status: { remaining: 1 } });
    await Promise.all([one.stop(), two.stop()]);
  });

  it.each([
    ["has ended", "-2 hours"],
    ["is of the future, because the database's clock was put back", "3 hours"],
  ])("that %s begins anew", async (_, shift) => {
    const subject = newSubject();
    const before = start({ requests: 5, ...hour });
    for (let i = 0; i < 6; i++) await allowed(before, subject);
    await before.stop();
    await client.query(
      `update rate_limit_windows set started_at = started_at + $2::interval, ends_at = ends_at + $2::interval
       where subject = $1`,
      [subject.key, shift],
    );
    const limiter = start({ requests: 5, ...hour });
    const taken = await limiter.limits.take("core", subject);
    expect(taken).toMatchObject({ allowed: true, status: { remaining: 4 } });
    const { resetAt } = taken?.status ?? {};
    expect(Math.abs(Number(resetAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await limiter.stop();
  });

  it.each([3, -3])("stays as it is when the clock of a process jumps by %d hours", async (hours) => {
    const limiter = start({ requests: 10, ...hour });
    const subject = newSubject();
    const before = await limiter.limits.take("core", subject);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 3_600_000 });
    try {
      const after = await limiter.limits.take("core", subject);
      expect(after).toMatchObject({ allowed: true, status: { remaining: 8 } });
      expect(after?.status.resetAt).toEqual(before?.status.resetAt);
      expect(after?.status.secondsLeft).toBeGreaterThan(3500);
      expect(after?.status.secondsLeft).toBeLessThanOrEqual(3600);
    } finally {
      vi.useRealTimers();
      await limiter.stop();
    }
  });

  it("of another kind, subject or cost is counted by itself", async () => {
    const limiter = start({ requests: 10, ...hour });
    const [one, two] = [newSubject(), newSubject()];
    expect((await limiter.limits.take("core", one, 8))?.allowed).toBe(true);
    expect((await limiter.limits.take("core", one, 3))?.allowed).toBe(false);
    expect((await limiter.limits.take("core", one, 2))?.allowed).toBe(true);
    expect((await limiter.limits.take("core", two, 10))?.allowed).toBe(true);
    expect(await limiter.limits.take("search", one)).toBeUndefined();
    await limiter.stop();
  });
});

it("a database that is away fails no request", async () => {
  const limiter = startLimiter("postgres://nobody@127.0.0.1:1/none", limitTable({ requests: 1, ...hour }));
  const subject = newSubject();
  for (let i = 0; i < 5; i++)
    expect(await limiter.limits.take("core", subject)).toMatchObject({ allowed: true, status: { limit: 1 } });
  const [uncounted] = (await limiter.metrics.uncounted.get()).values;
  expect(uncounted?.value).toBe(5);
  await limiter.stop();
});
