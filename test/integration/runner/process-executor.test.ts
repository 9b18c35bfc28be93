/** Jobs as processes of the runner's user, by the runner's own program: what they have, how they end, and that nothing of them stays. */
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findMarked } from "@forgeline/runner/engine/process/marked-processes.ts";
import { writeWhole } from "@forgeline/runner/write-whole.ts";
import { eventually } from "../../support/eventually.ts";
import { buildLease, buildService, buildStep, type LeaseOptions } from "../../support/lease-spec.ts";
import { RunnerBed } from "../../support/runner-bed.ts";

let bed: RunnerBed;
beforeAll(async () => {
  bed = await RunnerBed.open();
  bed.startProcessRunner();
  await eventually(() => bed.server.messages("hello")[0]);
});
afterAll(() => bed.close());

const image = { name: "", user: null };
const runnerLabels = ["executor=process"];

function offer({ job, ...lease }: LeaseOptions): void {
  bed.server.offer(buildLease({ ...lease, job: { image, runnerLabels, ...job } }));
}

const result = (attemptId: string) => eventually(() => bed.server.results.get(attemptId));
const log = (stream: string) => bed.server.log(stream).toString();
/** Of this runner's jobs, whatever group or session they are in. */
const processes = () => findMarked("rnr_test:");

async function nothingIsLeft(): Promise<void> {
  await eventually(async () => (await bed.leftovers()).length === 0);
  expect(await processes()).toEqual([]);
}

describe("a job", () => {
  it("has the machine's programs, a clean environment and places of its own", async () => {
    const hello = bed.server.messages("hello")[0];
    expect(hello).toMatchObject({ executor: "process", shells: false, features: ["lease_v2"], images: [] });
    expect(hello?.labels).toEqual(["os=linux", "!executor=process"]);
    const steps = [
      buildStep(
        0,
        "pwd; id -un; echo $HOME; env | grep FORGELINE_RUNNER | wc -l; touch here; echo x >$TMPDIR/x",
        {
          env: { GREETING: "hi" },
          shell: "sh",
        },
      ),
      buildStep(
        1,
        `[ "$PWD" = "$CI_WORKSPACE" ]; [ "$CI_RUNNER_NAME" = test ]; ls; set -o pipefail; echo "v=$GREETING" >>"$CI_OUTPUT"`,
        {
          id: "one",
          shell: "bash",
          env: { GREETING: "a 'quoted' word", PATH: `/nowhere:${process.env["PATH"] ?? ""}` },
        },
      ),
      buildStep(2, "#!/usr/bin/env perl\nprint 'not a shell'", { shell: "none" }),
      buildStep(3, "missing", { shell: "pwsh" }),
    ];
    offer({ attemptId: "att_a", steps, job: { outputs: { v: "${{ steps.one.outputs.v }}" } } });
    const done = await result("att_a");
    expect(done).toMatchObject({ reason: "exit:127", outputs: { v: "a 'quoted' word" }, warnings: [] });
    const workspace = join(bed.home, "jobs/job-att_a-1/workspace");
    expect(log("att_a.step0")).toBe(`${workspace}\n${userInfo().username}\n${homedir()}\n0\n`);
    expect(log("att_a.step1")).toBe("here\n");
    expect(log("att_a.step2")).toBe("not a shell");
    expect(log("att_a.step3")).toBe("forgeline: this machine has no pwsh\n");
    expect(log("att_a.setup")).toContain("Without isolation: this runner executes steps as processes");
    expect(log("att_a.setup")).not.toContain("Preparing");
    await nothingIsLeft();
  });

  it("gets secrets as files that go with their step, and its log is masked", async () => {
    const secrets = { KEY: "very-secret-value" };
    const job = { secrets: [{ name: "KEY", env: null, file: "KEY_FILE", optional: false }] };
    const steps = [
      buildStep(0, 'cat "$KEY_FILE"; echo; stat -c %a "$KEY_FILE"; echo "$KEY_FILE" >../kept'),
      buildStep(1, '[ ! -e "$(cat ../kept)" ]'),
    ];
    const lease = buildLease({ attemptId: "att_s", steps, job: { image, runnerLabels, ...job } });
    bed.server.offer({ ...lease, secrets });
    expect(await result("att_s")).toMatchObject({ status: "success" });
    expect(log("att_s.step0")).toBe("***\n400\n");
  });

  it("is refused if it needs a container", async () => {
    offer({
      attemptId: "att_r",
      steps: [buildStep(0, "true")],
      job: { services: [buildService("db", "true")] },
    });
    expect(await result("att_r")).toMatchObject({
      status: "error",
      reason: "config",
      message: "This runner executes jobs as processes, without containers, and the job asks for services.",
    });
    await nothingIsLeft();
  });
});

/** A process of its own session, without the output of the step, that TERM does not end. */
const escaped = `setsid sh -c "trap '' TERM HUP; echo up >up; exec sleep 300" >/dev/null 2>&1 & until [ -e up ]; do sleep 0.02; done`;

describe("the end", () => {
  it("comes by the step's time limit, and the log has what the step has said alone", async () => {
    const limited = buildStep(0, "echo begun; exec sleep 300", { timeoutMs: 300 });
    offer({ attemptId: "att_t", steps: [limited] });
    expect(await result("att_t")).toMatchObject({ reason: "timeout", exitCode: 143 });
    expect(log("att_t.step0")).toBe("begun\n");
  });

  it("takes with it what a step has left running, and directories that nobody may write", async () => {
    offer({
      attemptId: "att_e",
      steps: [buildStep(0, `${escaped}; mkdir -p a/b; touch a/b/c; chmod -R a-w a`)],
    });
    expect(await result("att_e")).toMatchObject({ status: "success" });
    await nothingIsLeft();
  });

  it("comes to a cancelled job by TERM, then by KILL, whatever has left its group", async () => {
    const script = `${escaped}; trap 'echo asked' TERM; echo begun; while :; do sleep 0.05 || true; done`;
    offer({ attemptId: "att_c", steps: [buildStep(0, script)] });
    await eventually(() => log("att_c.step0") === "begun\n");
    bed.server.send({
      t: "cancel",
      attemptId: "att_c",
      epoch: 1,
      status: "cancelled",
      reason: "user:ada",
      message: "Cancelled by ada.",
      graceMs: 300,
      force: false,
    });
    expect(await result("att_c")).toMatchObject({ status: "cancelled", steps: [{ exitCode: 137 }] });
    expect(log("att_c.step0")).toContain("asked\n");
    await nothingIsLeft();
  });
});

describe("a runner that was killed", () => {
  it("goes on with its steps where they are", async () => {
    const go = join(bed.home, "go");
    const wait = (code: number) => `echo a; until [ -e ${go} ]; do sleep 0.05; done; echo b; exit ${code}`;
    const steps = [buildStep(0, wait(0), { parallel: 0 }), buildStep(1, wait(4), { parallel: 0 })];
    offer({ attemptId: "att_k", steps });
    await eventually(() => log("att_k.step0") === "a\n" && log("att_k.step1") === "a\n");
    await bed.signal("SIGKILL");
    await writeFile(go, "");
    bed.startProcessRunner();
    expect(await result("att_k")).toMatchObject({ status: "failed", reason: "exit:4" });
    expect([log("att_k.step0"), log("att_k.step1")]).toEqual(["a\nb\n", "a\nb\n"]);
    await nothingIsLeft();
  });

  it("removes jobs that it has lost, and processes of jobs whose directories are gone", async () => {
    offer({ attemptId: "att_l", steps: [buildStep(0, `${escaped}; echo $$ >pid; sleep 300`)] });
    const pid = join(bed.home, "jobs/job-att_l-1/workspace/pid");
    await eventually(() => existsSync(pid));
    await bed.signal("SIGKILL");
    expect((await processes()).map(({ pid: id }) => id)).toContain(Number(await readFile(pid, "utf8")));
    await writeFile(join(bed.home, "state.json"), JSON.stringify({ version: 1, instanceId: "i", jobs: [] }));
    bed.startProcessRunner();
    await nothingIsLeft();
  });

  it("leaves a job that holds a slot no longer than it may run", async () => {
    bed.server.heartbeatMs = 100;
    const steps = [buildStep(0, `${escaped}; echo begun; sleep 300`)];
    offer({ attemptId: "att_f", steps, holdsSlot: true });
    await eventually(() => log("att_f.step0") === "begun\n");
    const fence = join(bed.home, "jobs/job-att_f-1/fence");
    await eventually(() => existsSync(fence));
    // Once it is written again, what watches it has begun.
    const { ctimeMs } = await stat(fence);
    await eventually(async () => (await stat(fence)).ctimeMs > ctimeMs);
    await bed.signal("SIGKILL");
    await writeWhole(fence, "1\n");
    await eventually(async () => (await processes()).length === 0);
    bed.startProcessRunner();
    expect(await result("att_f")).toMatchObject({
      status: "error",
      reason: "infra",
      message: expect.stringContaining("was ended because its runner was gone") as string,
    });
  });
});
