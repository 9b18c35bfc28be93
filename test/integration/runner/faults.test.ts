/** Rows R1 to R4, R15 and R24 of reliability.md from the runner's side, small: numbered lines through broken links. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { flawlessVerdict, judge, linesScript } from "../../support/judged-lines.ts";
import { buildLease, buildService, buildStep } from "../../support/lease-spec.ts";
import { RunnerBed } from "../../support/runner-bed.ts";

let bed: RunnerBed;
beforeEach(async () => {
  bed = await RunnerBed.open();
  bed.startRunner();
  await eventually(() => bed.server.connected && bed.server.messages("hello").length > 0);
});
afterEach(() => bed.close());

const result = (attemptId: string) =>
  eventually(() => bed.server.results.get(attemptId), { timeoutMs: 30_000 });

/** Offers a job of numbered lines, and resolves once some have arrived. */
async function begin(attemptId: string, count: number, burst: number, pauseSeconds: number): Promise<void> {
  const steps = [buildStep(0, linesScript(attemptId, count, burst, pauseSeconds))];
  bed.server.offer(buildLease({ attemptId, steps }));
  await eventually(() => bed.server.log(`${attemptId}.step0`).length > 1000);
}

/** While the runner is dead: in its state file everything began an hour earlier. */
async function anHourPasses(): Promise<void> {
  const file = join(bed.home, "state.json");
  const text = (await readFile(file, "utf8")).replaceAll(
    /"startedAtMs":(\d+)/g,
    (_, time: string) => `"startedAtMs":${Number(time) - 3_600_000}`,
  );
  await writeFile(file, text);
}

function expectFlawless(attemptId: string, count: number): void {
  const id = `${attemptId}.step0`;
  expect(judge(bed.server.log(id).toString(), attemptId, count)).toEqual(flawlessVerdict(count));
  expect(bed.server.streams.get(id)).toMatchObject({ intact: true, lines: count });
  expect(bed.server.streams.get(id)?.eof).toMatchObject({ lines: count, droppedBytes: 0 });
}

describe("log lines", () => {
  it("all arrive once, in order, through connections that are cut in the middle", async () => {
    await begin("att_cut", 20_000, 1000, 0.05);
    let cuts = 0;
    for (const cutAfterBytes of [1, 5000, 30_000, 70_000]) {
      const before = bed.server.connections;
      bed.server.faults.cutAfterBytes = cutAfterBytes;
      await eventually(() => bed.server.connections > before || bed.server.results.has("att_cut"));
      cuts += bed.server.connections - before;
    }
    expect(cuts).toBeGreaterThanOrEqual(3);
    expect(await result("att_cut")).toMatchObject({ status: "success" });
    expectFlawless("att_cut", 20_000);
  });

  it("survive lost acknowledgements and a rewind that the server asks for", async () => {
    bed.server.faults.dropLogAcks = 20;
    await begin("att_acks", 20_000, 2000, 0.03);
    bed.server.faults.rewindAfterBytes = 50_000;
    expect(await result("att_acks")).toMatchObject({ status: "success" });
    expect(bed.server.faults.rewindAfterBytes).toBeNull();
    expectFlawless("att_acks", 20_000);
  });

  it("outlive a server that is away, on the same port, and the runner is back by itself", async () => {
    await begin("att_away", 10_000, 500, 0.05);
    await bed.server.stop();
    // The job ends meanwhile.
    await eventually(async () => (await bed.leftovers(["jobs"])).length === 0);
    expect(await bed.leftovers()).not.toEqual([]);
    await bed.server.start();
    await eventually(() => bed.server.connected);
    expect(await result("att_away")).toMatchObject({ status: "success" });
    expectFlawless("att_away", 10_000);
  });

  it("wait for credit, and go on when it comes", async () => {
    bed.server.send({ t: "window", channel: null, bytes: 0 } as never);
    const steps = [buildStep(0, linesScript("att_win", 5000, 5000, 0))];
    bed.server.offer(buildLease({ attemptId: "att_win", steps }));
    await eventually(() => bed.server.messages("step_ended").length > 0);
    expect(bed.server.log("att_win.step0").length).toBe(0);
    bed.server.send({ t: "window", channel: null, bytes: 100_000 } as never);
    await result("att_win");
    expectFlawless("att_win", 5000);
  });
});

describe("a flood", () => {
  it("is kept at its head and tail, with the gap marked, also through a kill of the runner", async () => {
    const attemptId = "att_flood";
    const steps = [buildStep(0, linesScript(attemptId, 30_000, 3000, 0.1))];
    const limits = { stepLogBytes: 300_000, headBytes: 100_000, tailBytes: 100_000 };
    bed.server.offer(buildLease({ attemptId, steps, limits }));
    await eventually(() => bed.server.log(`${attemptId}.step0`).length === 200_000);
    await bed.signal("SIGKILL");
    bed.startRunner();
    expect(await result(attemptId)).toMatchObject({ status: "success" });
    const log = bed.server.log(`${attemptId}.step0`).toString();
    const stored = bed.server.streams.get(`${attemptId}.step0`);
    expect(stored?.intact).toBe(true);
    expect(log).toContain(
      `[forgeline: ${stored?.eof?.droppedBytes} bytes, ${stored?.eof?.droppedLines} lines`,
    );
    expect(log.startsWith(`L ${attemptId} 1 `)).toBe(true);
    expect(log.split("\n").at(-2)).toContain(`L ${attemptId} 30000 `);
    expect(log.length).toBeLessThan(300_200);
  });
});

describe("a killed runner", () => {
  it("takes its job up again where it was, with every line once", async () => {
    await begin("att_kill", 20_000, 500, 0.05);
    for (let kill = 0; kill < 2; kill++) {
      await bed.signal("SIGKILL");
      const before = bed.server.log("att_kill.step0").length;
      bed.startRunner();
      // A slow machine may be done with the step before it has started the runner again.
      const { results } = bed.server;
      await eventually(() => bed.server.log("att_kill.step0").length > before || results.has("att_kill"));
    }
    expect(await result("att_kill")).toMatchObject({ status: "success" });
    expectFlawless("att_kill", 20_000);
    expect(bed.server.messages("step_started")).toHaveLength(1);
    await eventually(async () => (await bed.leftovers()).length === 0);
  });

  it("takes up all steps that ran at the same time, and the next one waits for them", async () => {
    const waits = (name: string) => `echo ${name}; until [ -e go-${name} ]; do sleep 0.02; done`;
    const steps = [
      buildStep(0, `${waits("a")}; echo "k=a" >> "$CI_OUTPUT"`, { id: "a", parallel: 0 }),
      buildStep(1, `${waits("b")}; exit 3`, { parallel: 0 }),
      buildStep(2, "exit 4", { parallel: 0, allowFailure: true }),
      buildStep(3, 'echo "$K"', {
        env: { K: "${{ steps.a.outputs.k }}" },
        when: [{ status: "failure", text: "status: failure" }],
      }),
    ];
    bed.server.offer(buildLease({ attemptId: "att_both", steps }));
    const log = (step: number) => bed.server.log(`att_both.step${step}`).toString();
    await eventually(() => log(0) === "a\n" && log(1) === "b\n");
    const hasEnded = (position: number) =>
      bed.server.messages("step_ended").some(({ step }) => step.position === position);
    await eventually(() => hasEnded(2));
    await bed.signal("SIGKILL");
    const workspace = join(bed.home, "jobs", "att_both-1", "workspace");
    // One ends while the runner is dead, the other when it is back.
    await writeFile(join(workspace, "go-b"), "");
    bed.startRunner();
    await eventually(() => hasEnded(1));
    expect(bed.server.results.has("att_both")).toBe(false);
    await writeFile(join(workspace, "go-a"), "");
    const done = await result("att_both");
    expect(done).toMatchObject({ status: "failed", reason: "exit:3" });
    expect(done.steps.map(({ status }) => status)).toEqual(["success", "failed", "failed", "success"]);
    expect(log(3)).toBe("a\n");
    const begun = bed.server.messages("step_started").map(({ position }) => position);
    expect(begun.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  });

  it("goes on with the log of a service while its job runs", async () => {
    const services = [buildService("web", "n=0; while echo $((n += 1)); do sleep 0.05; done")];
    const steps = [buildStep(0, "echo begun; sleep 60")];
    const lines = () => bed.server.log("att_service.web").toString();
    bed.server.offer(buildLease({ attemptId: "att_service", steps, job: { services } }));
    await eventually(() => bed.server.log("att_service.step0").length > 0 && lines().includes("3\n"));
    await bed.signal("SIGKILL");
    const before = lines();
    bed.startRunner();
    await eventually(() => lines().length > before.length);
    expect(lines().startsWith(`${before}${before.split("\n").length}\n`)).toBe(true);
    expect(bed.server.results.has("att_service")).toBe(false);
  });

  it("delivers a result that ended while it was dead", async () => {
    const steps = [buildStep(0, "echo one; sleep 0.3; echo two"), buildStep(1, "echo three")];
    bed.server.offer(buildLease({ attemptId: "att_late", steps }));
    await eventually(() => bed.server.log("att_late.step0").length > 0);
    bed.server.faults.dropAnswers = { done: 1 };
    await eventually(() => bed.server.messages("done").length > 0);
    bed.server.results.clear();
    await bed.signal("SIGKILL");
    bed.startRunner();
    expect(await result("att_late")).toMatchObject({ status: "success" });
    expect(bed.server.log("att_late.step1").toString()).toBe("three\n");
  });

  it("counts the time before against the limits of its step and of its job", async () => {
    const [hourMs, script] = [3_600_000, "echo begun; sleep 60"];
    const limited = [buildStep(0, script, { timeoutMs: hourMs })];
    const job = (hours: number) => ({ timeoutMs: hours * hourMs });
    bed.server.offer(buildLease({ attemptId: "att_step", steps: limited, job: job(2) }));
    bed.server.offer(buildLease({ attemptId: "att_job", steps: [buildStep(0, script)], job: job(1) }));
    for (const id of ["att_step", "att_job"])
      await eventually(() => bed.server.log(`${id}.step0`).length > 0);
    await bed.signal("SIGKILL");
    await anHourPasses();
    bed.startRunner();
    const words = (id: string) => result(id).then(({ status, reason, message }) => [status, reason, message]);
    expect(await words("att_step")).toEqual([
      "failed",
      "timeout",
      'Step "step 0": The step exceeded its time limit.',
    ]);
    expect(await words("att_job")).toEqual(["failed", "timeout", "The job exceeded its time limit."]);
  });

  it("removes what a lease left that the server gave to somebody else", async () => {
    // A job that would go on for longer than anybody waits here.
    await begin("att_lost", 5000, 100, 60);
    await bed.signal("SIGKILL");
    const lease = bed.server.leases.get("att_lost");
    if (lease) lease.keep = false;
    bed.startRunner();
    await eventually(async () => (await bed.leftovers()).length === 0);
    expect(bed.server.results.has("att_lost")).toBe(false);
  });
});

describe("messages", () => {
  it("are sent again after a reconnect until they are answered", async () => {
    bed.server.faults.dropAnswers = { started: 1, step_started: 1, done: 2 };
    bed.server.offer(buildLease({ attemptId: "att_msg", steps: [buildStep(0, "echo x")] }));
    await eventually(() => bed.server.messages("done").length === 1);
    bed.server.results.clear();
    bed.server.cut();
    await eventually(() => bed.server.messages("done").length === 2);
    bed.server.results.clear();
    bed.server.cut();
    await result("att_msg");
    const ids = bed.server.messages("done").map((message) => message.id);
    expect(new Set(ids).size).toBe(1);
    expect(bed.server.messages("started").length).toBeGreaterThan(1);
  });

  it("about a stale epoch end the job and everything of it", async () => {
    await begin("att_stale", 5000, 100, 60);
    bed.server.faults.refuse = "stale_epoch";
    bed.server.cut();
    const lease = bed.server.leases.get("att_stale");
    if (lease) lease.keep = false;
    await eventually(async () => (await bed.leftovers()).length === 0);
    expect(bed.server.results.has("att_stale")).toBe(false);
  });

  it("stop coming from a silent server: the runner connects anew", async () => {
    bed.server.heartbeatMs = 100;
    bed.server.cut();
    await eventually(() => bed.server.connections === 2 && bed.server.messages("heartbeat").length > 0);
    bed.server.fallSilent();
    const before = bed.server.messages("heartbeat").length;
    await eventually(() => bed.server.connections > 2);
    await eventually(() => bed.server.messages("heartbeat").length > before);
  });
});
