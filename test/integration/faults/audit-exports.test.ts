/** R19: exports of an audit log are cut off anywhere, and the file has each entry once. */
import { afterAll, afterEach, beforeAll, test } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { fillLongLog, type LongLog } from "../../support/instance-audit-export.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";
import { isFull } from "../../support/size.ts";

let instance: TestInstance;
let worker: Program;
let log: LongLog;

beforeAll(async () => {
  instance = await startTestInstance({ runners: 0 });
  if (!instance.worker) throw new Error("no worker");
  worker = instance.worker;
  log = await fillLongLog(instance, "long", 60_000);
});
afterAll(() => instance?.stop());
afterEach(() => {
  if (!worker.isRunning()) worker.start();
});

const points: readonly CrashPoint[] = ["export.part-before-noted", "export.file-before-done"];
// One of them in each `npm test`: worker-points.test.ts.
test.runIf(isFull).each(points)(
  "a worker that dies at %s leaves an export that the next one completes",
  async (point) => {
    await worker.kill();
    worker.start({ FORGELINE_CRASH_AT: point });
    const asked = await log.begin();
    await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
    worker.start();
    await log.expectWhole(asked);
  },
  180_000,
);

// At other places than the crash points, by chance: with `npm run hostile`.
test.runIf(isFull)(
  "a worker that is killed again and again gets there in the end",
  async () => {
    const asked = await log.begin();
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 400 + round * 300));
      await worker.kill();
      worker.start();
    }
    await log.expectWhole(asked);
  },
  240_000,
);
