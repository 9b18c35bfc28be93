/** The runner against a server that speaks the protocol: jobs, results, stops. Steps are real shell processes. */
import { mkdir, rm, rmdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { JobRecord } from "@forgeline/runner/state/job-record.ts";
import { eventually } from "../../support/eventually.ts";
import { buildLease, buildService, buildStep } from "../../support/lease-spec.ts";
import { RunnerBed } from "../../support/runner-bed.ts";

let bed: RunnerBed;
async function open(): Promise<void> {
  bed = await RunnerBed.open();
  bed.startRunner();
  await eventually(() => bed.server.connected && bed.server.messages("hello").length > 0);
}

const result = (attemptId: string) => eventually(() => bed.server.results.get(attemptId));

describe("a job", () => {
  beforeAll(open);
  afterAll(() => bed.close());

  it("runs its steps, delivers its logs whole, and leaves nothing", async () => {
    const steps = [buildStep(0, "echo hello; printf tail"), buildStep(1, "true")];
    bed.server.offer(buildLease({ attemptId: "att_a", steps }));
    const done = await result("att_a");
    expect(done).toMatchObject({ status: "success", reason: null, exitCode: 0, warnings: [] });
    expect(bed.server.log("att_a.step0").toString()).toBe("hello\ntail");
    expect(bed.server.streams.get("att_a.step0")?.eof).toMatchObject({ bytes: 10, lines: 2 });
    expect([...bed.server.streams.values()].map((s) => s.intact)).toEqual([true, true, true]);
    expect(bed.server.log("att_a.setup").toString()).toContain("shell environment");
    await eventually(async () => (await bed.leftovers()).length === 0);
  });

  it("has all that its services say, their last words too", async () => {
    const web = buildService("web", `trap 'sleep 0.2; echo last words; exit' TERM; echo up; sleep 60 & wait`);
    const untilUp = buildStep(0, "until grep -q up ../service-web.out; do sleep 0.01; done");
    bed.server.offer(buildLease({ attemptId: "att_s", steps: [untilUp], job: { services: [web] } }));
    expect(await result("att_s")).toMatchObject({ status: "success" });
    expect(bed.server.log("att_s.web").toString()).toBe("up\nlast words\n");
    await eventually(async () => (await bed.leftovers()).length === 0);
  });

  it("skips the rest after a failure, but runs what asks for it, and carries outputs", async () => {
    const steps = [
      buildStep(0, 'echo "v=1.2" >> "$CI_OUTPUT"', { id: "one" }),
      buildStep(1, 'test "$V" = 1.2; exit 3', { env: { V: "${{ steps.one.outputs.v }}" } }),
      buildStep(2, "echo never"),
      buildStep(3, "echo cleanup", { when: [{ status: "always", text: "status: always" }] }),
    ];
    const outputs = { version: "${{ steps.one.outputs.v }}" };
    bed.server.offer(buildLease({ attemptId: "att_b", steps, job: { outputs } }));
    const done = await result("att_b");
    expect(done).toMatchObject({
      status: "failed",
      reason: "exit:3",
      exitCode: 3,
      outputs: { version: "1.2" },
    });
    expect(done.steps.map((step) => step.status)).toEqual(["success", "failed", "skipped", "success"]);
    expect(bed.server.log("att_b.step3").toString()).toBe("cleanup\n");
  });

  it("masks its token, and drops an output that holds it", async () => {
    const token = "svc_job_abcdef0123456789abcdef";
    const script =
      'echo "$CI_JOB_TOKEN"; printf %s "$CI_JOB_TOKEN" | base64 -w0; echo "t=$CI_JOB_TOKEN" >> "$CI_OUTPUT"';
    const job = { outputs: { t: "${{ steps.s.outputs.t }}" } };
    bed.server.offer(
      buildLease({ attemptId: "att_c", token, steps: [buildStep(0, script, { id: "s" })], job }),
    );
    const done = await result("att_c");
    expect(JSON.stringify(done)).not.toContain(token);
    expect(done.warnings.join()).toContain("contains a secret");
    const log = bed.server.log("att_c.step0").toString();
    expect(log).not.toContain(token);
    expect(log).not.toContain(Buffer.from(token).toString("base64").slice(0, 20));
    expect(log).toContain("***\n***");
  });

  it("says no more at once than a server takes, whatever outputs and names become", async () => {
    const fill = `{ printf k=; head -c 170000 /dev/zero | tr '\\0' '\\1'; echo; } >>"$CI_OUTPUT"`;
    const value = "${{ steps.s.outputs.k }}";
    const steps = [buildStep(0, fill, { id: "s" }), buildStep(1, "true", { name: value.repeat(6) })];
    const connections = bed.server.connections;
    bed.server.offer(buildLease({ attemptId: "att_much", steps, job: { outputs: { once: value } } }));
    const once = await result("att_much");
    expect(once).toMatchObject({ status: "success", warnings: [] });
    expect(once.outputs["once"]).toHaveLength(170_000);
    const told = bed.server.received.filter((message) => message.t === "step_started");
    expect(
      told.find(({ attemptId, position }) => attemptId === "att_much" && position === 1)?.name,
    ).toHaveLength(1000);
    const job = { outputs: { once: value, twice: value } };
    bed.server.offer(buildLease({ attemptId: "att_more", steps, job }));
    expect(await result("att_more")).toMatchObject({
      status: "success",
      outputs: {},
      warnings: [expect.stringContaining("bytes as JSON; none were kept")],
    });
    expect(bed.server.connections).toBe(connections);
  });

  it("ends a silent step, and one that runs too long", async () => {
    const silent = buildStep(0, "echo begun; sleep 60", { idleTimeoutMs: 200 });
    bed.server.offer(buildLease({ attemptId: "att_d", steps: [silent] }));
    expect(await result("att_d")).toMatchObject({ status: "failed", reason: "idle_timeout" });
    const long = buildStep(0, "while :; do echo x; sleep 0.05; done", { timeoutMs: 300 });
    bed.server.offer(buildLease({ attemptId: "att_e", steps: [long] }));
    expect(await result("att_e")).toMatchObject({ status: "failed", reason: "timeout" });
  });

  it("ends as an error when its log is cut", async () => {
    bed.server.offer(buildLease({ attemptId: "att_cut", steps: [buildStep(0, "echo begun; sleep 60")] }));
    await eventually(() => bed.server.log("att_cut.step0").toString() === "begun\n");
    await truncate(join(bed.home, "jobs", "att_cut-1", "0.out"), 0);
    expect(await result("att_cut")).toMatchObject({
      status: "error",
      reason: "infra",
      message: expect.stringMatching(/^The log of a step was truncated/),
    });
  });

  it("is cancelled, runs its always step, and says who did it", async () => {
    const steps = [
      buildStep(0, "echo begun; sleep 60"),
      buildStep(1, "echo never"),
      buildStep(2, "echo always", { when: [{ status: "always", text: "status: always" }] }),
    ];
    bed.server.offer(buildLease({ attemptId: "att_f", steps }));
    await eventually(() => bed.server.log("att_f.step0").length > 0);
    const lease = { attemptId: "att_f", epoch: 1 };
    const words = { reason: "user:ada", message: "Cancelled by ada.", status: "cancelled" as const };
    // Longer than anybody waits for the result: the step is told, and not just killed.
    bed.server.send({ t: "cancel", ...lease, ...words, graceMs: 3_600_000, force: false });
    const done = await result("att_f");
    expect(done).toMatchObject({ status: "cancelled", reason: "user:ada" });
    expect(done.steps.map((step) => step.status)).toEqual(["cancelled", "cancelled", "success"]);
    expect(bed.server.log("att_f.step2").toString()).toBe("always\n");
  });

  it("is dropped without a result when it is revoked", async () => {
    bed.server.offer(buildLease({ attemptId: "att_g", steps: [buildStep(0, "echo begun; sleep 60")] }));
    await eventually(() => bed.server.log("att_g.step0").length > 0);
    bed.server.send({ t: "revoke", attemptId: "att_g", epoch: 1 });
    await eventually(() => bed.server.messages("revoked").length > 0);
    await eventually(async () => (await bed.leftovers()).length === 0);
    expect(bed.server.results.has("att_g")).toBe(false);
  });

  it("is refused where there is no room for it", async () => {
    const offered = ["att_l", "att_m", "att_n"];
    for (const attemptId of offered)
      bed.server.offer(buildLease({ attemptId, steps: [buildStep(0, "sleep 60")] }));
    const answers = await eventually(() => {
      const said = bed.server.messages("offer_answer").filter((m) => offered.includes(m.attemptId));
      return said.length === 3 && said;
    });
    expect(answers.map(({ reject }) => reject)).toEqual([null, null, "full"]);
    for (const attemptId of offered.slice(0, 2)) bed.server.send({ t: "revoke", attemptId, epoch: 1 });
    await eventually(async () => (await bed.leftovers()).length === 0);
  });

  it("has the slot of one whose files are still being removed", async () => {
    const endless = join(bed.home, "endless-removal");
    await writeFile(endless, "");
    const steps = [buildStep(0, "true")];
    const isTaken = (attemptId: string) =>
      bed.server.messages("offer_answer").some((answer) => answer.attemptId === attemptId && answer.accept);
    // Two slots: without those of the first two there is none for the others.
    for (const attemptId of ["att_q", "att_r", "att_t", "att_u"]) {
      await eventually(() => {
        if (!isTaken(attemptId)) bed.server.offer(buildLease({ attemptId, steps }));
        return isTaken(attemptId);
      });
      expect(await result(attemptId)).toMatchObject({ status: "success" });
    }
    expect(await bed.leftovers(["jobs"])).toHaveLength(4);
    await rm(endless);
    await eventually(async () => (await bed.leftovers()).length === 0);
  });

  it("says in words why it could not be cloned", async () => {
    const clone = { depth: 50, filter: "none" as const, tags: false, lfs: false };
    const where = {
      url: `${bed.server.url.replace("wss", "https")}/nowhere.git`,
      ref: "refs/heads/main",
      sha: "1".repeat(40),
    };
    bed.server.offer(
      buildLease({ attemptId: "att_h", steps: [buildStep(0, "true")], job: { clone }, clone: where }),
    );
    const done = await result("att_h");
    expect(done).toMatchObject({ status: "error", reason: "clone" });
    expect(bed.server.log("att_h.setup").toString()).toContain("Cloning failed");
  });
});

describe("the runner", () => {
  beforeEach(open);
  afterEach(() => bed.close());

  it("survives frames that are no messages, and answers those that have an id", async () => {
    bed.server.sendText("{");
    bed.server.sendText('{"t":"offer","id":7}');
    const nack = await eventually(() => bed.server.messages("nack")[0]);
    expect(nack).toMatchObject({ id: 7, code: "bad_message" });
    bed.server.offer(buildLease({ attemptId: "att_i", steps: [buildStep(0, "true")] }));
    expect(await result("att_i")).toMatchObject({ status: "success" });
    expect(bed.server.connections).toBe(1);
  });

  it("has a lease on disk before it takes it, and each step before it starts it", async () => {
    const state = join(bed.home, "state.json");
    // Where the state cannot be written.
    await mkdir(`${state}.new`);
    bed.server.offer(buildLease({ attemptId: "att_o", steps: [buildStep(0, "true")] }));
    expect(await eventually(() => bed.server.messages("nack")[0])).toMatchObject({ code: "internal" });
    expect(bed.server.messages("ack")).toEqual([]);
    await rmdir(`${state}.new`);
    bed.server.offer(buildLease({ attemptId: "att_p", steps: [buildStep(0, `cat ${state}`)] }));
    await result("att_p");
    const { jobs } = JSON.parse(bed.server.log("att_p.step0").toString()) as { jobs: JobRecord[] };
    const recorded = jobs.find(({ attemptId }) => attemptId === "att_p");
    expect(recorded?.runningSteps).toMatchObject([{ position: 0 }]);
  });

  it("drains on TERM: takes no more, finishes what runs, exits 0", async () => {
    const gate = join(bed.home, "gate");
    const script = `echo begun; until [ -e ${gate} ]; do sleep 0.02; done; echo end`;
    bed.server.offer(buildLease({ attemptId: "att_j", steps: [buildStep(0, script)] }));
    await eventually(() => bed.server.log("att_j.step0").length > 0);
    const exit = bed.signal("SIGTERM");
    await eventually(() => bed.server.messages("drain").length > 0);
    bed.server.offer(buildLease({ attemptId: "att_k", steps: [buildStep(0, "true")] }));
    const refusal = await eventually(() =>
      bed.server.messages("offer_answer").find((m) => m.attemptId === "att_k"),
    );
    expect(refusal).toMatchObject({ accept: false, reject: "draining" });
    await writeFile(gate, "");
    expect(await exit).toBe(0);
    expect(bed.server.results.get("att_j")).toMatchObject({ status: "success" });
    expect(bed.server.log("att_j.step0").toString()).toBe("begun\nend\n");
  });

  it("ends and removes what it runs when it is removed from the server", async () => {
    bed.server.offer(buildLease({ attemptId: "att_k", steps: [buildStep(0, "echo begun; sleep 60")] }));
    await eventually(() => bed.server.log("att_k.step0").toString() === "begun\n");
    bed.server.close(closeCodes.revoked, "this runner was removed");
    expect(await bed.signal("SIGCONT")).toBe(1);
    expect(await bed.leftovers()).toEqual([]);
  });

  it("stops with a clear message when its credential is not accepted", async () => {
    bed.server.close(4401, "credential");
    expect(await bed.signal("SIGCONT")).toBe(1);
  });
});
