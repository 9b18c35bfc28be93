/** Row R10 for forks: syncs are cut off anywhere, and the fork gets what its upstream has, once, with each change told once. */
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { forkOnInstance, type InstanceFork } from "../../support/instance-fork.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";
import { isFull } from "../../support/size.ts";

let instance: TestInstance;
let worker: Program;
let database: pg.Client;

beforeAll(async () => {
  instance = await startTestInstance({ runners: 0 });
  if (!instance.worker) throw new Error("no worker");
  worker = instance.worker;
  database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await instance?.stop();
});
afterEach(() => {
  if (!worker.isRunning()) worker.start();
});

const rounds = 3;

/** How often each value of each ref was told. */
async function told({ id }: InstanceFork): Promise<number[]> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from events where repository_id = $1 and kind = 'push'
     group by subject ->> 'ref', subject ->> 'after'`,
    [id],
  );
  return rows.map(({ count }) => count);
}

const points: readonly [CrashPoint, boolean][] = [
  ["fork.moved-before-finished", true],
  ["fork.packed-before-judged", true],
  ["mirror.refs-moved-before-record", true],
  ["fork.moved-before-finished", false],
];
// One of them in each `npm test`: worker-points.test.ts.
test.runIf(isFull).each(points)(
  "a worker that dies at %s leaves a fork that the next one completes, and each change is told once",
  async (point, merges) => {
    const fork = await forkOnInstance(instance);
    await worker.kill();
    worker.start({ FORGELINE_CRASH_AT: point });
    await fork.commitThere();
    await fork.commitThere("topic");
    if (merges) await fork.commitHere();
    await fork.requestSync();
    await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
    worker.start();
    await fork.caughtUp();
    expect(await fork.problems()).toEqual([]);
    expect(new Set(await told(fork))).toEqual(new Set([1]));
    const [last, ...before] = await fork.history();
    expect([last?.status, before]).toEqual([merges ? "merged" : "fast_forwarded", []]);
    expect(last?.branches.map(({ name, behind }) => [name, behind])).toEqual([
      ["main", 1],
      ["topic", 1],
    ]);
    const { ahead } = await fork.standing();
    expect(ahead).toBe(merges ? 2 : 0);
  },
  180_000,
);

// At other places than the crash points, by chance: with `npm run hostile`.
test.runIf(isFull)(
  "a worker that is killed again and again gets there in the end, without one merge too many",
  async () => {
    const fork = await forkOnInstance(instance);
    await fork.commitHere();
    for (let round = 0; round < rounds; round += 1) {
      await fork.commitThere();
      const asked = fork.requestSync();
      await new Promise((resolve) => setTimeout(resolve, 60 + round * 120));
      await worker.kill();
      worker.start();
      await asked;
    }
    await eventually(
      async () => ((await fork.standing()).behind === 0 ? true : void (await fork.requestSync())),
      {
        timeoutMs: 120_000,
      },
    );
    await fork.caughtUp();
    expect(await fork.problems()).toEqual([]);
    expect(new Set(await told(fork))).toEqual(new Set([1]));
    // One commit, and at most one merge for each that came upstream.
    const { ahead } = await fork.standing();
    expect(ahead).toBeGreaterThanOrEqual(2);
    expect(ahead).toBeLessThanOrEqual(1 + rounds);
  },
  240_000,
);
