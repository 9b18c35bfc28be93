/** Syncs of push mirrors are cut off anywhere: the target becomes what the repository is, and nothing is taken for somebody else's change. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { readBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { startGitSource, type GitSource, type SourceAnswer } from "../../support/git-source.ts";
import { pushMirrorOnInstance } from "../../support/instance-push-mirror.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";
import { isFull } from "../../support/size.ts";

let instance: TestInstance;
let worker: Program;
let source: GitSource;

beforeAll(async () => {
  source = await startGitSource();
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
  await source?.close();
});
const usually: SourceAnswer = (_request, _response, usual) => usual();
afterEach(() => {
  source.answer = usually;
  if (!worker.isRunning()) worker.start();
});

const points: readonly CrashPoint[] = [
  "push_mirror.sent-before-recorded",
  "push_mirror.recorded-before-finished",
];
// One of them in each `npm test`: worker-points.test.ts.
test.runIf(isFull).each(points)(
  "a worker that dies at %s leaves a target that the next one completes, also when it was rewritten here meanwhile",
  async (point) => {
    const mirror = await pushMirrorOnInstance(instance, source);
    await mirror.createBranch("topic");
    await mirror.caughtUp();
    await worker.kill();
    worker.start({ FORGELINE_CRASH_AT: point });
    await mirror.commit("topic");
    await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
    await mirror.reset("topic", "main");
    await mirror.commit("main");
    worker.start();
    await mirror.caughtUp();
    expect(await mirror.problems()).toEqual([]);
    expect((await mirror.history()).filter(({ status }) => status === "failed")).toEqual([]);
  },
  180_000,
);

// At other places than the crash points, by chance: with `npm run hostile`.
test.runIf(isFull)(
  "a worker that is killed again and again while it sends gets there in the end",
  async () => {
    const mirror = await pushMirrorOnInstance(instance, source);
    source.answer = (request, _response, usual) =>
      void setTimeout(usual, request.method === "POST" ? 1_000 : 50);
    for (let round = 0; round < 3; round += 1) {
      await mirror.createBranch(`topic-${round}`);
      await mirror.commit("main");
      await eventually(async () => (await mirror.get()).status === "syncing", { timeoutMs: 60_000 });
      await sleep(100 + round * 450);
      await worker.kill();
      worker.start();
    }
    source.answer = usually;
    await mirror.caughtUp();
    expect(await mirror.problems()).toEqual([]);
  },
  240_000,
);

test.runIf(isFull)(
  "what is pushed while no worker runs, and while the target is away, arrives when they are back",
  async () => {
    const mirror = await pushMirrorOnInstance(instance, source);
    await worker.kill();
    await mirror.commit("main");
    await mirror.createBranch("topic");
    worker.start();
    await mirror.caughtUp();
    source.answer = (_request, response) => void response.writeHead(503).end();
    await mirror.commit("topic");
    await eventually(async () => (await mirror.get()).status === "failing", { timeoutMs: 60_000 });
    await mirror.commit("main");
    source.answer = usually;
    await mirror.requestSync();
    await mirror.caughtUp();
    expect(await mirror.problems()).toEqual([]);
  },
  120_000,
);
