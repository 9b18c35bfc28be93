/** Row R10 of reliability.md: syncs are cut off anywhere, and the mirror is what its source is, with each change told once. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import type { WorkDetail, WorkPage } from "@forgeline/schemas/background-work/resource.ts";
import { eventually } from "../../support/eventually.ts";
import { usually } from "../../support/git-source.ts";
import { mirrorOnInstance, type InstanceMirror } from "../../support/instance-mirror.ts";
import { restoreWorker, sharedWorkerBed, type SharedWorkerBed } from "../../support/shared-worker-bed.ts";
import { isFull } from "../../support/size.ts";

let bed: SharedWorkerBed;
let instance: SharedWorkerBed["instance"];
let worker: SharedWorkerBed["worker"];
let source: SharedWorkerBed["source"];
let database: SharedWorkerBed["database"];
beforeAll(async () => {
  bed = await sharedWorkerBed();
  ({ instance, worker, source, database } = bed);
});
afterEach(() => restoreWorker(bed));

/** How often each value of each ref was told. */
async function told({ id }: InstanceMirror): Promise<number[]> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from events where repository_id = $1 and kind in ('push', 'tag')
     group by subject ->> 'ref', subject ->> 'after'`,
    [id],
  );
  return rows.map(({ count }) => count);
}

const points: readonly CrashPoint[] = [
  "mirror.refs-moved-before-record",
  "mirror.fetched-before-judged",
  "mirror.recorded-before-finished",
];
// One of them in each `npm test`: worker-points.test.ts.
test.runIf(isFull).each(points)(
  "a worker that dies at %s leaves a mirror that the next one completes, and each change is told once",
  async (point) => {
    const mirror = await mirrorOnInstance(instance, source);
    await worker.kill();
    worker.start({ FORGELINE_CRASH_AT: point });
    await mirror.source.commit("main", { "a.txt": point });
    await mirror.source.commit("topic", { "t.txt": point });
    await mirror.requestSync();
    await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
    worker.start();
    await mirror.caughtUp();
    expect(await mirror.problems()).toEqual([]);
    expect(await told(mirror)).toEqual([1, 1, 1]);
    const [last] = await mirror.history();
    expect(last).toMatchObject({ status: "succeeded", changed_refs: 2 });
  },
  180_000,
);

// At other places than the crash points, by chance: with `npm run hostile`.
test.runIf(isFull)(
  "a worker that is killed again and again while it receives gets there in the end",
  async () => {
    const mirror = await mirrorOnInstance(instance, source);
    source.answer = (request, _response, usual) =>
      void setTimeout(usual, request.method === "POST" ? 1_000 : 50);
    for (let round = 0; round < 3; round += 1) {
      await mirror.source.commit("main", { "a.txt": `${round}`, [`f${round}`]: "x".repeat(round * 1_000) });
      await mirror.source.git("update-ref", `refs/heads/topic-${round}`, "main");
      await mirror.requestSync();
      await eventually(async () => (await mirror.get()).status === "syncing", { timeoutMs: 60_000 });
      await sleep(100 + round * 450);
      await worker.kill();
      worker.start();
    }
    source.answer = usually;
    await mirror.requestSync();
    await mirror.caughtUp();
    expect(await mirror.problems()).toEqual([]);
    expect(new Set(await told(mirror))).toEqual(new Set([1]));
  },
  240_000,
);

/** An administrator finds it among what has failed, and why. */
async function expectFailedWork({ id }: InstanceMirror): Promise<void> {
  const failed = await eventually(
    async () =>
      (await instance.api<WorkPage>("GET", "/admin/work?kind=mirror_sync&state=failed")).work.find((work) =>
        work.id.includes(id),
      ),
    { timeoutMs: 30_000 },
  );
  const detail = await instance.api<WorkDetail>("GET", `/admin/work/${encodeURIComponent(failed.id)}`);
  expect(detail).toMatchObject({
    may_retry: "again",
    failure: [{ message: expect.stringContaining("There is no repository at this address") }],
  });
}

test("a source that goes away, forces and deletes between tries is followed to where it ends", async () => {
  const mirror = await mirrorOnInstance(instance, source);
  await mirror.source.commit("gone", { "g.txt": "g" });
  source.answer = (_request, response) => void response.writeHead(404).end();
  await mirror.requestSync();
  await eventually(async () => (await mirror.get()).status === "failing", { timeoutMs: 60_000 });
  await expectFailedWork(mirror);
  await mirror.source.git("update-ref", "-d", "refs/heads/main");
  await mirror.source.commit("main", { "b.txt": "b" });
  source.answer = usually;
  await mirror.requestSync();
  await mirror.caughtUp();
  await mirror.source.git("update-ref", "-d", "refs/heads/gone");
  await Promise.all([mirror.requestSync(), mirror.requestSync(), mirror.requestSync()]);
  await mirror.caughtUp();
  expect(await mirror.problems()).toEqual([]);
  expect(new Set(await told(mirror))).toEqual(new Set([1]));
}, 120_000);
