/** PostgreSQL and Temporal are killed while pipelines print and all else is under way: nothing is lost, and every process finds back by itself. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { readBed, type RunningBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { startGitSource, type GitSource } from "../../support/git-source.ts";
import { cutOffExport } from "../../support/instance-audit-export.ts";
import { cutOffStream } from "../../support/instance-audit-stream.ts";
import { cutOffChanges } from "../../support/instance-changes.ts";
import { cutOffFork } from "../../support/instance-fork.ts";
import { cutOffMirror } from "../../support/instance-mirror.ts";
import { cutOffPushMirror } from "../../support/instance-push-mirror.ts";
import { cutOffSchedules } from "../../support/instance-schedule.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { programsOf } from "../../support/instance.ts";
import { watchRun } from "../../support/instance-run.ts";
import { startOwnBed } from "../../support/own-bed.ts";
import { telling } from "../../support/size.ts";
import { steadyRequests } from "../../support/steady-requests.ts";
import { expectAllSurvive } from "../../support/survive-outage.ts";
import { startReceiver, type Receiver } from "../../support/webhook-receiver.ts";

let own: RunningBed;
let bed: FaultBed;
let receiver: Receiver;
let source: GitSource;
beforeAll(async () => {
  own = await startOwnBed();
  receiver = await startReceiver();
  source = await startGitSource();
  const { caFile } = (await readBed()).certificates;
  const env = { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile };
  bed = await openFaultBed({ servers: 2, env });
});
afterAll(async () => {
  try {
    await bed?.closeEmpty();
  } finally {
    await own?.stop();
    await receiver?.close();
    await source?.close();
  }
});

it(
  "of PostgreSQL costs a run nothing but time, and its viewers see every byte on the same socket",
  { timeout: 150_000 },
  async () => {
    const pids = programsOf(bed.instance).map((program) => program.pid());
    const run = await bed.begin({ file: "stages", count: 2500, perPause: 50, seen: 300 });
    const requests = steadyRequests(bed.instance, { path: "/user", clients: 2 });
    const viewer = await watchRun(bed.instance, run, "?job=last&step=0", bed.instance.servers[1]?.url);
    await viewer.opened;
    await own.kill("postgresql");
    await eventually(async () => (await bed.linesSeen(run, "last")) > 300, { timeoutMs: 40_000 });
    await own.kill("postgresql");
    expect((await bed.judge(run)).problems).toEqual([]);
    // What could not be answered was said to come again, and nothing was an error of ours.
    expect(Object.keys(await requests.stop()).toSorted()).toEqual(["200", "503"]);
    await viewer.closed;
    const stream = viewer.messages.find((message) => message.t === "stream");
    const log = await bed.repository.log(run, "last");
    expect(viewer.text(stream?.stream_id ?? "").toString()).toBe(log?.text);
    expect(programsOf(bed.instance).map((program) => program.isRunning() && program.pid())).toEqual(pids);
  },
);

it("of Temporal delays decisions and nothing else", { timeout: 150_000 }, async () => {
  const pids = programsOf(bed.instance).map((program) => program.pid());
  // Its first jobs end while Temporal is away, so their facts wait in the outbox.
  const run = await bed.begin({ file: "stages", count: 1000, perPause: 50, seen: 200 });
  const requests = steadyRequests(bed.instance, { path: "/user", clients: 2 });
  await own.kill("temporal");
  const asked = await bed.repository.begin({ count: 200, perPause: 50 });
  expect((await bed.judge(run)).problems).toEqual([]);
  expect((await bed.judge(asked)).problems).toEqual([]);
  expect(Object.keys(await requests.stop())).toEqual(["200"]);
  expect(programsOf(bed.instance).map((program) => program.isRunning() && program.pid())).toEqual(pids);
});

type Victim = "postgresql" | "temporal" | "server";
const strikes = telling<Victim[]>([["postgresql", "temporal", "server"]], [["postgresql"], ["temporal"]]);
it.each(strikes.map((victims) => ({ victims, names: victims.join(", ") })))(
  "of $names loses nothing of what else is under way, and does nothing twice",
  { timeout: 300_000 },
  async ({ victims }) => {
    const { instance } = bed;
    const works = [
      await cutOffChanges(instance, receiver),
      await cutOffStream(instance, receiver),
      await cutOffPushMirror(instance, source),
      await cutOffMirror(instance, source),
      await cutOffExport(instance),
      await cutOffSchedules(instance),
      await cutOffFork(instance),
    ];
    await expectAllSurvive(works, async () => {
      for (const victim of victims) {
        if (victim === "server") await instance.servers[1]?.program.kill();
        else await own.kill(victim);
      }
    });
  },
);
