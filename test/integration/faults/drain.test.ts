/** Row R17 of reliability.md, small: processes that are told to stop end in order, and nobody notices. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { runnerIsOnline, untilNotReady, serverIsReady } from "../../support/instance.ts";
import { steadyRequests } from "../../support/steady-requests.ts";
import { steadyViewer } from "../../support/steady-viewer.ts";

let bed: FaultBed;
beforeAll(async () => {
  bed = await openFaultBed({ servers: 2, env: { FORGELINE_STOP_DELAY_MS: "3000" } });
});
afterAll(() => bed?.closeEmpty());

describe("two servers behind one port, restarted in turn", () => {
  it("fail no request, and viewers and runners lose no line", { timeout: 150_000 }, async () => {
    const { instance } = bed;
    const url = `https://localhost:${bed.proxy.port}`;
    const run = await bed.begin({ file: "stages", count: 3000, perPause: 50 });
    const requests = steadyRequests(instance, { path: "/user", clients: 4, url });
    const viewers = Array.from({ length: 6 }, (_, i) =>
      steadyViewer(instance, run, { job: i % 2 === 0 ? "left" : "right", url }),
    );
    await Promise.all(viewers.map((viewer) => viewer.open));
    for (const server of instance.servers) {
      server.program.signal("SIGTERM");
      await untilNotReady(server, instance.certificates);
      bed.proxy.leaveOut(Number(new URL(server.url).port));
      expect(await server.program.exited()).toBe(0);
      server.program.start();
      await serverIsReady(server, instance.certificates);
      bed.proxy.leaveOut(null);
    }
    expect((await bed.judge(run)).problems).toEqual([]);
    expect(Object.keys(await requests.stop())).toEqual(["200"]);
    for (const [i, viewer] of viewers.entries())
      expect(await viewer.whole).toBe((await bed.repository.log(run, i % 2 === 0 ? "left" : "right"))?.text);
    // Each was sent elsewhere by at least one of the two, and told so.
    const codes = viewers.flatMap((viewer) => viewer.closeCodes);
    expect(codes.filter((code) => code === closeCodes.going_away).length).toBeGreaterThan(0);
    expect(codes.filter((code) => code !== closeCodes.going_away && code !== 1000)).toEqual([]);
  });
});

describe("a runner told to stop", () => {
  it(
    "finishes its job, takes no other, and exits 0; the next start takes what waited",
    { timeout: 150_000 },
    async () => {
      const { program } = bed.runner();
      const run = await bed.begin({ count: 1500, perPause: 50 });
      program.signal("SIGTERM");
      const waiting = await bed.repository.begin({ count: 100, perPause: 50 });
      expect(await program.exited()).toBe(0);
      expect((await bed.judge(run)).problems).toEqual([]);
      expect(await bed.repository.get(waiting)).toMatchObject({ status: "queued" });
      program.start();
      expect((await bed.judge(waiting)).problems).toEqual([]);
    },
  );

  it(
    "twice ends at once; the job goes on without it and is taken up again",
    { timeout: 150_000 },
    async () => {
      const { program, name } = bed.runner();
      const run = await bed.begin({ count: 1500, perPause: 50 });
      const drains = async () => (await readFile(program.logFile, "utf8")).split("draining").length;
      const before = await drains();
      program.signal("SIGTERM");
      // Two signals that come together are one.
      await eventually(async () => (await drains()) > before, { timeoutMs: 40_000 });
      expect(await program.end("SIGTERM")).toBe(1);
      expect((await bed.repository.get(run)).status).toBe("running");
      program.start();
      await runnerIsOnline(bed.instance.api, name);
      expect((await bed.judge(run)).problems).toEqual([]);
    },
  );
});
