/** Rows R1 and R5 of reliability.md, small: a runner that is killed; each step starts once an attempt. */
import pg from "pg";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CrashPoint } from "@forgeline/runner/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import type { LinesFile, LinesRun } from "../../support/lines-pipeline.ts";
import type { Program } from "../../support/program.ts";
import { restore, sharedFaultBed, type SharedFaultBed } from "../../support/shared-fault-bed.ts";
import { telling } from "../../support/size.ts";

let bed: SharedFaultBed;
const diesBySignal = async (program: Program) => {
  await eventually(() => !program.isRunning(), { timeoutMs: 40_000 });
  expect(await program.exited(), "void: it did not die at the point").toBeNull();
};
beforeAll(async () => {
  // Without waiting containers, as it is there, the points of making one are met by jobs.
  bed = await sharedFaultBed();
});
afterEach(() => restore(bed));

describe("a runner killed", () => {
  it("three times while a step prints: the step goes on, every line is there once", async () => {
    const run = await bed.begin({ count: 4000, perPause: 20 });
    for (let kill = 0; kill < 3; kill++) {
      const before = await bed.linesSeen(run);
      expect(before, "void: the step had ended").toBeLessThan(run.count);
      await bed.runner().program.kill();
      bed.runner().program.start();
      await eventually(async () => (await bed.linesSeen(run)) > before, { timeoutMs: 40_000 });
    }
    const judgement = await bed.judge(run);
    expect(judgement.problems).toEqual([]);
    expect(judgement.attempts).toBe(1);
  });
});

/** Of one attempt each, in the order in which it comes to them. */
const lives = telling<[LinesFile, CrashPoint[]]>(
  [
    ["own-image", ["step-container.created-before-started"]],
    [
      "leaving",
      [
        "lease.saved-before-ack",
        "step.started-before-reported",
        "artifact.uploaded-before-result",
        "result.taken-before-forgotten",
      ],
    ],
    ["caching", ["cache.paused-before-read", "cache.handed-over-before-sent"]],
  ],
  [
    ["single", ["lease.saved-before-ack"]],
    ["single", ["job-container.created-before-started"]],
    ["single", ["step.recorded-before-started"]],
    ["single", ["step.started-before-reported"]],
    ["single", ["step.exited-before-reported"]],
    ["single", ["result.saved-before-sent"]],
    ["single", ["result.taken-before-forgotten"]],
    ["leaving", ["artifact.uploaded-before-result"]],
  ],
);
describe("a runner killed", () => {
  it.each(lives)(
    "under %s at %s: it goes on, and the step was begun once",
    { timeout: 150_000 },
    async (file, points) => {
      const { program } = bed.runner();
      await program.kill();
      let run: LinesRun | undefined;
      for (const point of points) {
        program.start({ FORGELINE_CRASH_AT: point });
        run ??= await bed.repository.begin({ file, count: 200, perPause: 100 });
        await diesBySignal(program);
      }
      program.start();
      const judgement = await bed.judge(run!);
      expect(judgement.problems).toEqual([]);
      expect(judgement.attempts).toBe(1);
      if (file === "caching")
        await eventually(async () => (await cachesOf(`deps-${run!.number}`)).length === 1);
    },
  );
});

const cachesOf = (key: string) =>
  bed.instance.api<{ key: string; size: number }[]>(
    "GET",
    `/repos/${bed.instance.adminName}/lines/caches?key_prefix=${key}`,
  );

describe("a runner killed when its job is over and the job's cache is not sent", () => {
  it(
    "leaves a job that succeeded and no cache; the next run misses it and saves it",
    { timeout: 180_000 },
    async () => {
      const { program } = bed.runner();
      const wanted = { file: "sending", count: 50, perPause: 100 } as const;
      await program.kill();
      // Parts take half a minute each, on connections of their own.
      bed.proxy.set({ name: "rate", bytesPerSecond: 300_000 });
      program.start({ FORGELINE_CRASH_AT: "result.taken-before-forgotten" });
      const first = await bed.repository.begin(wanted);
      await diesBySignal(program);
      expect(await cachesOf("deps"), "void: it was sent").not.toContainEqual(
        expect.objectContaining({ key: "deps" }),
      );
      bed.proxy.set({ name: "pass" });
      program.start();
      expect(await bed.judge(first)).toMatchObject({ problems: [], attempts: 1, status: "success" });

      await forgetUploads(bed.instance);
      for (const _ of telling(["misses"], ["finds"])) {
        const next = await bed.repository.begin(wanted);
        expect(await bed.judge(next)).toMatchObject({ problems: [], attempts: 1, status: "success" });
        const { size } = await eventually(async () =>
          (await cachesOf("deps")).find(({ key }) => key === "deps"),
        );
        expect(size).toBeGreaterThan(20_000_000);
      }
    },
  );
});

/** As a minute later, after which nobody waits for what a runner had said that it would send. */
async function forgetUploads({ database }: SharedFaultBed["instance"]): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "update caches set touched_at = touched_at - interval '1 minute' where saved_at is null and handed_over_at is not null",
  );
  await client.end();
}
