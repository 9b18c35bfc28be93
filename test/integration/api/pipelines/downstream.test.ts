/** Jobs that start other pipelines, over REST and with the real workflow: how they end, what they hand over, who sees what. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { TestPerson } from "../../../support/api-server.ts";
import { startChildBed, type ChildBed } from "../../../support/child-bed.ts";
import { lockWait } from "../../../support/lock-wait.ts";
import { failedResult } from "../../../support/runs.ts";

vi.setConfig({ testTimeout: 120_000 });
let bed: ChildBed;
let bob: TestPerson;
let at: string;
beforeAll(async () => {
  bed = await startChildBed();
  bob = await bed.server.person("bob");
  ({ at } = await bed.repository());
  await bed.write(at, ".forgeline.yml", null);
});
afterAll(() => bed?.close());

const parent = (jobs: string) => `on: [api]\ndefaults: { image: busybox }\njobs:\n${jobs}`;
const child = `
on:
  pipeline:
  manual: { inputs: { target: { type: choice, options: [staging, production], default: staging }, count: { type: number, default: 1 } } }
image: busybox
steps: ["true"]
`;
const deploy = ".forgeline/deploy.yml";
const main = ".forgeline/main.yml";
async function begin(jobs: string, target = child): Promise<Pipeline> {
  await bed.write(at, deploy, target);
  await bed.write(at, main, parent(jobs));
  return bed.start(at, { pipeline: "main" });
}
const jobOf = (run: Pipeline, key: string) =>
  run.stages.flatMap(({ jobs }) => jobs).find((job) => job.key === key);
const told = (run: Pipeline, key: string) => {
  const job = jobOf(run, key);
  return [job?.status, job?.reason, job?.message];
};

describe("a job that starts a pipeline of its repository", () => {
  test("waits for it, hands inputs over, and takes outputs", async () => {
    const run = await begin(
      `  ship: { trigger: { pipeline: deploy, inputs: { target: "\${{ 'production' }}", count: 3 }, outputs: [address, none] } }
  after: { needs: [ship], env: { TO: "\${{ needs.ship.outputs.address }}" }, steps: ["true"] }\n`,
    );
    const [started] = await bed.children(at, run.id, 1);
    expect(started).toMatchObject({ pipeline: deploy, repository: at.replace("/repos/", ""), attempt: 1 });
    const below = await bed.read(at, started?.id ?? "");
    expect(below).toMatchObject({
      source: "pipeline",
      sha: run.sha,
      ref: run.ref,
      inputs: { target: "production", count: 3 },
      triggered_by: { username: "ada" },
      parent: { id: run.id, number: run.number, job: jobOf(run, "ship")?.id },
      children: [],
    });
    expect(run.parent).toBeNull();
    await bed.runner(below.id).run("main", { outputs: { address: "https://there", other: "x" } });
    await bed.ends(at, below.id, "success");
    await bed.runner(run.id).run("after");
    const over = await bed.ends(at, run.id, "success");
    expect(jobOf(over, "ship")).toMatchObject({
      outputs: { address: "https://there", none: "" },
      attempts: [{ status: "success", runner: null, warnings: [expect.stringContaining("none")] }],
    });
    expect(jobOf(over, "after")?.attempts).toHaveLength(1);
    const env = await bed.database.one<{ to: string }>(
      "select job -> 'env' ->> 'TO' as to from job_attempts where pipeline_id = $1 and job ->> 'key' = 'after'",
      [run.id],
    );
    expect(env?.to).toBe("https://there");
    expect(over.children).toMatchObject([{ id: below.id, status: "success" }]);
  });

  test("fails where what it takes is too large, whole as each part is allowed", async () => {
    const two =
      "on: [pipeline]\ndefaults: { image: busybox }\njobs: { one: { steps: ['true'] }, two: { steps: ['true'] } }\n";
    const run = await begin("  ship: { trigger: { pipeline: deploy, outputs: [one, two] } }\n", two);
    const [started] = await bed.children(at, run.id, 1);
    for (const key of ["one", "two"])
      await bed.runner(started?.id ?? "").run(key, { outputs: { [key]: "x".repeat(600_000) } });
    const over = await bed.ends(at, run.id, "failed");
    expect(jobOf(over, "ship")).toMatchObject({ reason: "outputs_too_large", outputs: {} });
  });

  test("fails as it does, and starts another one when it is run again", async () => {
    const run = await begin("  ship: { trigger: { pipeline: deploy } }\n");
    const [first] = await bed.children(at, run.id, 1);
    await bed.runner(first?.id ?? "").run("main", failedResult);
    const over = await bed.ends(at, run.id, "failed");
    expect(told(over, "ship")).toEqual(["failed", "child:failed", "The pipeline that it started failed."]);
    await bed.send("POST", `${at}/pipelines/${run.id}/rerun`, { from: "failed" });
    const both = await bed.children(at, run.id, 2);
    expect(both.map(({ attempt }) => attempt)).toEqual([1, 2]);
    await bed.runner(both[1]?.id ?? "").run("main");
    await bed.ends(at, run.id, "success");
    await bed.send("POST", `${at}/pipelines/${first?.id}/rerun`, { from: "all" });
    await bed.runner(first?.id ?? "").run("main");
    await bed.ends(at, first?.id ?? "", "success");
    expect(told(await bed.read(at, run.id), "ship")).toEqual(["success", null, null]);
  });

  test("tries again, and may fail, as other jobs", async () => {
    const run = await begin(
      "  ship: { trigger: { pipeline: deploy }, retry: { max: 1, delay: 0s }, allow_failure: true }\n",
    );
    for (const count of [1, 2]) {
      const all = await bed.children(at, run.id, count);
      await bed.runner(all.at(-1)?.id ?? "").run("main", failedResult);
    }
    const over = await bed.ends(at, run.id, "success");
    expect(over.warnings).toBe(1);
    expect(jobOf(over, "ship")?.attempts.map(({ reason }) => reason)).toEqual([
      "child:failed",
      "child:failed",
    ]);
  });

  test("is done at once where it does not wait", async () => {
    const run = await begin("  ship: { trigger: { pipeline: deploy, wait: false } }\n");
    const over = await bed.ends(at, run.id, "success");
    expect(over.children).toMatchObject([{ pipeline: deploy }]);
  });

  test("starts one for each combination of a matrix", async () => {
    const run = await begin(
      `  ship: { matrix: { to: [staging, production] }, trigger: { pipeline: deploy, inputs: { target: "\${{ matrix.to }}" } } }\n`,
    );
    const all = await bed.children(at, run.id, 2);
    const targets = await Promise.all(all.map(async ({ id }) => (await bed.read(at, id)).inputs["target"]));
    expect(new Set(targets)).toEqual(new Set(["production", "staging"]));
    for (const { id } of all) await bed.runner(id).run("main");
    await bed.ends(at, run.id, "success");
  });

  test("is cancelled with it", async () => {
    const run = await begin("  ship: { trigger: { pipeline: deploy } }\n");
    const [started] = await bed.children(at, run.id, 1);
    const held = await bed.runner(started?.id ?? "").take("main");
    await bed.runner(started?.id ?? "").start(held);
    await bed.send("POST", `${at}/pipelines/${run.id}/cancel`, {});
    await bed.ends(at, started?.id ?? "", "cancelling");
    await bed.runner(started?.id ?? "").done(held, { status: "cancelled", reason: "parent" });
    const below = await bed.ends(at, started?.id ?? "", "cancelled");
    expect(below.reason).toBe("parent");
    const over = await bed.ends(at, run.id, "cancelled");
    expect(told(over, "ship")).toEqual(["cancelled", "user:ada", "Cancelled by ada."]);
  });

  test("fails when the other pipeline is cancelled, takes too long, or is broken", async () => {
    const cancelled = await begin("  ship: { trigger: { pipeline: deploy } }\n");
    const [first] = await bed.children(at, cancelled.id, 1);
    await bed.send("POST", `${at}/pipelines/${first?.id}/cancel`, {});
    expect(told(await bed.ends(at, cancelled.id, "failed"), "ship")).toEqual([
      "failed",
      "child:cancelled",
      "The pipeline that it started was cancelled.",
    ]);
    const slow = await begin("  ship: { trigger: { pipeline: deploy }, timeout: 1s }\n");
    const [second] = await bed.children(at, slow.id, 1);
    expect(told(await bed.ends(at, slow.id, "failed"), "ship").slice(0, 2)).toEqual(["failed", "timeout"]);
    expect((await bed.read(at, second?.id ?? "")).status).toBe("cancelled");
    const broken = await begin("  ship: { trigger: { pipeline: deploy } }\n", "steps: 3\n");
    const over = await bed.ends(at, broken.id, "failed");
    expect(told(over, "ship").slice(0, 2)).toEqual(["failed", "child:error"]);
    expect(over.children).toMatchObject([{ status: "error" }]);
  });

  test("is told by the other run also where no worker was there when that ended", async () => {
    const run = await begin("  ship: { trigger: { pipeline: deploy } }\n");
    const [started] = await bed.children(at, run.id, 1);
    const held = await bed.runner(started?.id ?? "").take("main");
    await bed.stopWorker();
    await bed.runner(started?.id ?? "").start(held);
    await bed.runner(started?.id ?? "").done(held);
    await bed.startWorker();
    await bed.ends(at, run.id, "success");
  });
});

describe("a job that cannot start what it names", () => {
  const refusals: [string, string, RegExp][] = [
    ["an unknown file", "{ pipeline: nothing }", /No pipeline is named nothing/],
    ["a wrong input", "{ pipeline: deploy, inputs: { count: many } }", /count must be a number/],
    ["an unknown input", "{ pipeline: deploy, inputs: { cuont: 1 } }", /no input named cuont/],
    ["an unknown ref", "{ pipeline: deploy, ref: nowhere }", /named nowhere/],
    ["an unknown repository", "{ repository: acme/nothing }", /no repository acme\/nothing in which ada/],
    ["what others may not start", "{ pipeline: main, ref: main }", /does not list the event pipeline/],
  ];
  test.each(refusals)("says why: %s", async (_, trigger, message) => {
    const run = await begin(`  ship: { trigger: ${trigger} }\n`);
    const over = await bed.ends(at, run.id, "error");
    expect(told(over, "ship")).toEqual(["error", "trigger_refused", expect.stringMatching(message)]);
    expect(over.children).toEqual([]);
  });
});

describe("a pipeline of another repository", () => {
  test("is started at its default branch, with its own variables, and both runs show each other to those who see both", async () => {
    const other = await bed.repository(child);
    await bed.send("PUT", `${other.at}/variables/COLOUR`, { value: "red" });
    await bed.send("PATCH", at, { visibility: "public" });
    const run = await begin(`  ship: { trigger: { repository: "${other.at.replace("/repos/", "")}" } }\n`);
    const [started] = await bed.children(at, run.id, 1);
    const below = await bed.read(other.at, started?.id ?? "");
    expect(below).toMatchObject({
      ref: "refs/heads/main",
      parent: { repository: at.replace("/repos/", "") },
    });
    const kept = await bed.database.one<{ colour: string | null }>(
      "select event -> 'variables' ->> 'COLOUR' as colour from pipelines where id = $1",
      [below.id],
    );
    expect(kept?.colour).toBe("red");
    expect((await bed.read(at, run.id, bob)).children).toEqual([]);
    await bed.send("PUT", `${other.at}/collaborators/bob`, { permission: "read" });
    expect((await bed.read(at, run.id, bob)).children).toMatchObject([{ id: below.id }]);
    await bed.send("PATCH", at, { visibility: "private" });
    expect((await bed.read(other.at, below.id, bob)).parent).toBeNull();
    const log = await bed.send("GET", `/admin/audit-log?action=pipeline.trigger&per_page=100`);
    expect(log.json).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining({ parent: run.id }) }),
    );
    await bed.runner(below.id).run("main");
    await bed.ends(at, run.id, "success");
  });

  test("is started without a deadlock beside what else refers to the run that starts it", async () => {
    const other = await bed.repository(child);
    const name = other.at.replace("/repos/", "");
    // Connections of their own: the server's are few, and all of this waits at the same time.
    const [repository, sibling] = [0, 1].map(
      () => new pg.Client({ connectionString: bed.server.database.url }),
    );
    if (!repository || !sibling) throw new Error("no connections");
    try {
      for (const client of [repository, sibling]) {
        await client.connect();
        await client.query("begin");
      }
      const lockIt =
        "select from repositories where id = (select repository_id from repository_names where full_name = $1) for no key update";
      await repository.query(lockIt, [name]);
      const { id } = await begin(`  ship: { trigger: { repository: "${name}" } }\n`);
      await lockWait(bed.database);
      await sibling.query("select from pipelines where id = $1 for key share", [id]);
      await repository.query("commit");
      await lockWait(bed.database);
      // As the start of another one, which has referred to the run and now changes it.
      await sibling.query("select from pipelines where id = $1 for update", [id]);
      await sibling.query("commit");
      await bed.children(at, id, 1);
    } finally {
      await Promise.all([repository.end(), sibling.end()]);
    }
  });

  test("that is deleted meanwhile ends the job", async () => {
    const other = await bed.repository(child);
    const run = await begin(`  ship: { trigger: { repository: "${other.at.replace("/repos/", "")}" } }\n`);
    await bed.children(at, run.id, 1);
    expect((await bed.send("DELETE", other.at)).status).toBe(204);
    const over = await bed.ends(at, run.id, "failed");
    expect(told(over, "ship").slice(0, 2)).toEqual(["failed", "child:cancelled"]);
  });
});
