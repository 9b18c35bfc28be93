/** Rows R2 and R4 of reliability.md, small: an API server that is killed under running jobs loses and doubles nothing. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { runnerIsOnline } from "../../support/instance.ts";
import { restore, sharedFaultBed, type SharedFaultBed } from "../../support/shared-fault-bed.ts";
import { telling } from "../../support/size.ts";

let bed: SharedFaultBed;
beforeAll(async () => {
  bed = await sharedFaultBed();
});
afterEach(() => restore(bed));

const server = () => bed.instance.servers[0]!.program;

describe("an API server killed", () => {
  it("again and again under three jobs in two stages: every line is there once, every attempt ends once", async () => {
    const run = await bed.begin({ file: "stages", count: 2000, perPause: 30 });
    let first: number | undefined;
    for (let kill = 0; kill < 2; kill++) {
      const before = await bed.linesSeen(run, "left");
      first ??= before;
      await server().kill();
      await bed.startServer();
      await eventually(async () => (await bed.linesSeen(run, "left")) > before || before === run.count, {
        timeoutMs: 40_000,
      });
    }
    expect(first, "void: the jobs had ended").toBeLessThan(run.count);
    expect((await bed.judge(run)).problems).toEqual([]);
  });
});

const points = telling<CrashPoint>(
  ["lease.stored-before-sent", "log.stored-before-ack", "done.recorded-before-ack"],
  ["outbox.delivered-before-removed", "offer.stored-before-sent", "log.ended-before-ack"],
);
describe("an API server killed at", () => {
  it.each(points)("%s: the run goes on where it was", async (point) => {
    await server().kill();
    await bed.startServer({ FORGELINE_CRASH_AT: point });
    await runnerIsOnline(bed.instance.api, bed.runner().name);
    const wanted = { count: 200, perPause: 50 };
    // The answer may die with the server; the run is there all the same.
    await bed.repository.begin(wanted).catch(() => undefined);
    await eventually(() => !server().isRunning(), { timeoutMs: 40_000 });
    expect(await server().exited(), "void: it did not die at the point").toBeNull();
    await bed.startServer();
    const judgement = await bed.judge(await bed.repository.newest(wanted));
    expect(judgement.problems).toEqual([]);
    expect(judgement.attempts).toBe(1);
  });
});
