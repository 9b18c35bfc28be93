/** Row R17 of reliability.md, small: processes that are told to stop end in order, and nobody notices, whoever watches, asks or pushes. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { runnerIsOnline, untilNotReady, serverIsReady } from "../../support/instance.ts";
import { startFaultProxy, type FaultProxy } from "../../support/fault-proxy.ts";
import { administratorByKey } from "../../support/instance-ssh.ts";
import { steadyPushes, type PushPlace } from "../../support/steady-pushes.ts";
import { steadyRequests } from "../../support/steady-requests.ts";
import { steadyViewer } from "../../support/steady-viewer.ts";
import { addressWithToken, createGitClient, type GitClient } from "../git/git-client.ts";

/** Row R17 names fifty; the suite has few. */
const pushersAtOnce = Number(process.env["FORGELINE_PUSHERS"] ?? 2);
let bed: FaultBed;
let sshProxy: FaultProxy;
let git: GitClient;
beforeAll(async () => {
  bed = await openFaultBed({ servers: 2, ssh: true, env: { FORGELINE_STOP_DELAY_MS: "3000" } });
  const [one, other] = bed.instance.servers.map(({ sshPort }) => ({ host: "127.0.0.1", port: sshPort }));
  sshProxy = await startFaultProxy(one!, other!);
  git = await createGitClient(bed.instance.certificates.caFile);
});
afterAll(async () => {
  await sshProxy?.close();
  await git?.remove();
  await bed?.closeEmpty();
});

/** The same balancer by HTTPS, and one by SSH and key. */
async function pushPlaces(): Promise<PushPlace[]> {
  const { adminName, adminToken } = bed.instance;
  const base = `https://localhost:${bed.proxy.port}`;
  return [
    { url: (name) => addressWithToken(base, `${adminName}/${name}`, adminToken), env: {} },
    {
      url: (name) => `ssh://git@localhost:${sshProxy.port}/${adminName}/${name}.git`,
      env: await administratorByKey(bed.instance, git.home),
    },
  ];
}

describe("two servers behind one port, restarted in turn", () => {
  it("fail no request, cut no push, and viewers and runners lose no line", { timeout: 150_000 }, async () => {
    const { instance } = bed;
    const url = `https://localhost:${bed.proxy.port}`;
    const run = await bed.begin({ file: "stages", count: 3000, perPause: 50 });
    const requests = steadyRequests(instance, { path: "/user", clients: 2, url });
    const viewers = Array.from({ length: 4 }, (_, i) =>
      steadyViewer(instance, run, { job: i % 2 === 0 ? "left" : "right", url }),
    );
    await Promise.all(viewers.map((viewer) => viewer.open));
    const places = await pushPlaces();
    const pushers = Array.from({ length: pushersAtOnce }, (_, n) =>
      steadyPushes({ instance, git }, `rolled-${n}`, places[n % places.length]!),
    );
    for (const server of instance.servers) {
      server.program.signal("SIGTERM");
      await untilNotReady(server, instance.certificates);
      bed.proxy.leaveOut(Number(new URL(server.url).port));
      sshProxy.leaveOut(server.sshPort);
      expect(await server.program.exited()).toBe(0);
      server.program.start();
      await serverIsReady(server, instance.certificates);
      bed.proxy.leaveOut(null);
      sshProxy.leaveOut(null);
    }
    for (const { failures, pushes, head, branch } of await Promise.all(pushers.map((each) => each.stop()))) {
      expect(failures).toEqual([]);
      expect(pushes).toBeGreaterThan(1);
      expect(branch).toContain(head);
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
