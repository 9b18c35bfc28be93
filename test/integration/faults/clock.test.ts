/** Row R16 of reliability.md, small: a process whose clock is wrong loses no lease, no token and no order of lines. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { wrongClock } from "../../support/wrong-clock.ts";
import { runnerIsOnline } from "../../support/instance.ts";
import { telling } from "../../support/size.ts";

let bed: FaultBed;
beforeAll(async () => {
  bed = await openFaultBed({ env: { FORGELINE_HEARTBEAT_MS: "500" } });
});
afterAll(() => bed?.closeEmpty());

/** Times and durations of all parts of a run must be possible ones, whoever's clock they came from. */
async function judgeTimes(run: { number: number } & Parameters<FaultBed["judge"]>[0], begunAt: number) {
  const pipeline = await bed.repository.get(run);
  const attempts = pipeline.stages.flatMap((stage) => stage.jobs).flatMap((job) => job.attempts);
  for (const node of [pipeline, ...attempts, ...attempts.flatMap((attempt) => attempt.steps)]) {
    expect(node.duration).toBeGreaterThanOrEqual(0);
    expect(Date.parse(node.started_at ?? "")).toBeGreaterThanOrEqual(begunAt - 1000);
    expect(Date.parse(node.finished_at ?? "")).toBeLessThanOrEqual(Date.now() + 1000);
  }
}

describe("a clock that is", () => {
  it.each(telling(["-3h"], ["+3h", "+0 x5"]))("%s wrong on the runner changes nothing", async (error) => {
    const { program, name } = bed.runner();
    await program.end("SIGTERM");
    program.start(wrongClock(error));
    await runnerIsOnline(bed.instance.api, name);
    const begunAt = Date.now();
    const run = await bed.begin({ count: 1000, perPause: 50 });
    expect((await bed.judge(run)).problems).toEqual([]);
    await judgeTimes(run, begunAt);
  });

  it.each(telling(["+3h"], ["-3h"]))("%s wrong on the server changes nothing", async (error) => {
    const { program, name } = bed.runner();
    await program.end("SIGTERM");
    program.start();
    const [server] = bed.instance.servers;
    await server?.program.end("SIGTERM");
    await bed.startServer(wrongClock(error));
    await runnerIsOnline(bed.instance.api, name);
    const begunAt = Date.now();
    const run = await bed.begin({ count: 1000, perPause: 50 });
    const made = await bed.instance.api<{ expires_at: string }>("POST", "/user/tokens", {
      name: `made at ${error}`,
      scopes: ["user:read"],
      expires_in_days: 1,
    });
    const day = 24 * 3600 * 1000;
    expect(Math.abs(Date.parse(made.expires_at) - Date.now() - day)).toBeLessThan(60_000);
    expect((await bed.judge(run)).problems).toEqual([]);
    await judgeTimes(run, begunAt);
  });
});
