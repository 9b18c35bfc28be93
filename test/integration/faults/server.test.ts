/** Rows R2 and R4 of reliability.md, small: an API server that is killed under running jobs loses and doubles nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { runnerIsOnline, serverIsReady } from "../../support/instance.ts";

let bed: FaultBed;
beforeAll(async () => {
  bed = await openFaultBed({ env: { FORGELINE_HEARTBEAT_MS: "500", FORGELINE_LOG_LEVEL: "warn" } });
});
afterEach(async () => {
  const server = bed.instance.servers[0]!;
  if (!server.program.isRunning()) await bed.startServer();
  await serverIsReady(server, bed.instance.certificates);
  await runnerIsOnline(bed.instance.api, bed.runner().name);
});
afterAll(async () => expect(await bed?.close()).toEqual([]));

const server = () => bed.instance.servers[0]!.program;

describe("an API server killed", () => {
  it("again and again under four jobs in two stages: every line is there once, every attempt ends once", async () => {
    const run = await bed.begin({ file: "stages", count: 3000, perPause: 60 });
    for (let kill = 0; kill < 3; kill++) {
      const before = await bed.linesSeen(run, "left");
      await server().kill();
      await bed.startServer();
      await eventually(async () => (await bed.linesSeen(run, "left")) > before || before === run.count);
    }
    expect((await bed.judge(run)).problems).toEqual([]);
  });
});
