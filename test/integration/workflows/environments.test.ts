/** Jobs that deploy, with the real workflow: what protection holds or refuses, what is written down, and what going back does. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EnvironmentPut } from "@forgeline/schemas/environments/resource.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import { rerunRun } from "@forgeline/server/domains/pipelines/runs/change-run.ts";
import { addRunIntent } from "@forgeline/server/domains/pipelines/runs/run-intents.ts";
import { createEnvironmentService } from "@forgeline/server/domains/pipelines/environments/service.ts";
import type { RepositoryRef } from "@forgeline/server/domains/policy/domain.ts";
import type { Actor } from "@forgeline/server/platform/access/actor.ts";
import { approvalRule, decideAt, insertPerson } from "../../support/approvals.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import {
  failedResult,
  handRunner,
  insertRepository,
  insertRun,
  jobsOf,
  planJob,
  planOf,
  runIs,
  type TestRepository,
} from "../../support/runs.ts";
import { inGroup } from "../../support/slot-runs.ts";

let bed: Orchestration;
let repository: TestRepository;
let ada: Actor;
beforeAll(async () => {
  bed = await startOrchestration();
  repository = await insertRepository(bed.db);
  ada = await insertPerson(bed.db, repository, "write");
});
afterAll(() => bed.close());

const ref = () => repository as unknown as RepositoryRef;
const service = () =>
  createEnvironmentService({
    db: bed.db,
    addresses: { baseUrl: "https://host/api/v1", webUrl: "https://host" } as never,
    rerun: async (actor, _, { id, from }) => {
      await rerunRun(bed.db, actor, { pipelineId: id, name: "ada/demo#1", from });
      return { number: 1, sha: "a".repeat(40) } as never;
    },
  });
const protect = (name: string, protection: object) =>
  service().put(ada, ref(), {
    name,
    allow_shell: false,
    protection: EnvironmentPut.parse({ protection }).protection,
  });
const history = (name: string) =>
  service()
    .deployments(ref(), name, { page: 1, per_page: 100 })
    .then(({ items }) => items);
const deploys = (name: string, more = {}): Plan =>
  planOf([planJob({ key: "ship", environment: { name, url: "https://example.com" }, ...more })]);

async function begin(plan: Plan) {
  const { id } = await insertRun(bed.db, repository, plan);
  return {
    id,
    runner: handRunner(bed.db, id),
    become: (wanted: Record<string, string>) =>
      eventually(
        async () => {
          expect(await jobsOf(bed.db, id)).toMatchObject(wanted);
          return true;
        },
        { intervalMs: 5 },
      ),
    approve: (environment?: string) =>
      decideAt(bed.db, ada, {
        pipelineId: id,
        job: "ship",
        decision: "approve",
        ...(environment === undefined ? {} : { environment }),
      }),
    message: async () =>
      (await bed.db.one<{ message: string }>("select message from jobs where pipeline_id = $1", [id]))
        ?.message,
  };
}

describe("an environment without protection", () => {
  it("is created by its first use, and knows what was deployed", async () => {
    const run = await begin(deploys("Staging"));
    await run.become({ ship: "queued" });
    expect((await service().get(ref(), "staging")).deploying).toMatchObject([
      { pipeline: { id: run.id }, job: { key: "ship" }, status: "queued" },
    ]);
    await run.runner.run("ship");
    await runIs(bed.db, run.id, "success");
    const environment = await service().get(ref(), "staging");
    expect(environment).toMatchObject({
      name: "Staging",
      protection: { count: 0, wait_minutes: 0 },
      current: { pipeline: { id: run.id }, environment_url: "https://example.com", ref: "refs/heads/main" },
    });
    expect(environment.confirmed_at).toBeNull();
    expect(environment.deploying).toEqual([]);
    await protect("STAGING", {});
    expect((await service().get(ref(), "staging")).confirmed_at).not.toBeNull();
    expect(await history("STAGING")).toMatchObject([
      {
        status: "success",
        is_current: true,
        attempt: 1,
        actor: repository.owner,
        rollback_to: null,
        job: { key: "ship" },
      },
    ]);
  });

  it("keeps what is current when a later deployment fails, and goes back to an earlier one", async () => {
    const first = await begin(deploys("shop"));
    await first.runner.run("ship");
    await runIs(bed.db, first.id, "success");
    const second = await begin(deploys("shop", { retry: { ...planJob({ key: "a" }).retry, on: [] } }));
    await second.runner.run("ship", failedResult);
    await runIs(bed.db, second.id, "failed");
    const [failed, good] = await history("shop");
    expect([failed, good]).toMatchObject([
      { status: "failed", is_current: false },
      { status: "success", is_current: true },
    ]);
    const back = (id = "") => service().rollBack(ada, ref(), { name: "shop", deployment: id });
    await expect(back(failed?.id)).rejects.toMatchObject({ code: "conflict" });
    await back(good?.id);
    await expect(back(good?.id)).rejects.toMatchObject({ code: "conflict" });
    await first.runner.run("ship");
    await runIs(bed.db, first.id, "success");
    expect((await history("shop"))[0]).toMatchObject({
      is_current: true,
      actor: ada.username,
      rollback_to: good?.id,
      pipeline: { id: first.id },
    });
    expect((await service().get(ref(), "shop")).current?.pipeline.id).toBe(first.id);
  });

  it("is refused to a repository that has as many as it can", async () => {
    const full = await insertRepository(bed.db);
    await bed.db.query(
      "insert into environments (id, repository_id, name) select 'env_' || n, $1, 'e' || n from generate_series(1, 100) n",
      [full.id],
    );
    const { id } = await insertRun(bed.db, full, deploys("one-more"));
    await runIs(bed.db, id, "error");
    const row = await bed.db.one("select reason, message from jobs where pipeline_id = $1", [id]);
    expect(row).toMatchObject({
      reason: "config",
      message: expect.stringContaining("a repository can have 100.") as string,
    });
  });
});

describe("protection", () => {
  it("refuses runs of other branches before anybody is asked", async () => {
    await protect("release", { branches: ["release/*"], count: 1 });
    const run = await begin(deploys("release", { approval: approvalRule() }));
    await run.become({ ship: "failed environment_refused:release" });
    expect(await run.message()).toBe(
      "The environment release is limited to branch release/*; this run is of branch main.",
    );
    await runIs(bed.db, run.id, "failed");
  });

  it("asks for approval after the file's own, for each environment of a matrix", async () => {
    await protect("north", { count: 1 });
    await protect("south", { count: 1 });
    const matrix = {
      combinations: [{ at: "north" }, { at: "south" }],
      source: null,
      maxParallel: null,
      failFast: false,
    };
    const run = await begin(deploys("${{ matrix.at }}", { matrix, approval: approvalRule() }));
    expect(await run.approve()).toMatchObject({ environment: null, state: "approved" });
    await eventually(async () => {
      const rows = await bed.db.query("select from approval_gates where pipeline_id = $1", [run.id]);
      return rows.length === 3 || undefined;
    });
    expect(await run.approve("SOUTH")).toMatchObject({ environment: "south", state: "approved" });
    await run.runner.run("ship");
    expect(await history("south")).toMatchObject([{ status: "success" }]);
    expect(await history("north")).toEqual([]);
    await run.approve();
    await run.runner.run("ship");
    await runIs(bed.db, run.id, "success");
    expect(await history("north")).toHaveLength(1);
  });

  it("waits for its time, whoever has approved", async () => {
    await protect("slow", { wait_minutes: 5 });
    const run = await begin(deploys("slow"));
    await run.become({ ship: "waiting environment_wait:slow" });
    expect(await run.message()).toMatch(
      /^Waits until \d{4}-\d\d-\d\d \d\d:\d\d UTC, because the environment slow asks/,
    );
    // As if five minutes had passed; the signal stands for the timer.
    await bed.db.query("update approval_gates set wait_until = now() where pipeline_id = $1", [run.id]);
    await bed.db.transaction((tx) =>
      addRunIntent(tx, repository.id, {
        kind: "gate_decided",
        pipelineId: run.id,
        sequence: 1,
        gate: { stage: "main", job: "ship" },
      }),
    );
    await run.runner.run("ship");
    await runIs(bed.db, run.id, "success");
  });

  it("holds nobody in a concurrency group while people have not approved", async () => {
    await protect("grouped", { count: 1 });
    const concurrency = inGroup("grouped");
    const first = await begin(deploys("grouped", { concurrency }));
    await first.become({ ship: "awaiting_approval approval:environment" });
    const second = await begin(deploys("grouped", { concurrency }));
    await second.approve();
    await second.runner.run("ship");
    await runIs(bed.db, second.id, "success");
    await first.approve();
    await first.runner.run("ship");
    await runIs(bed.db, first.id, "success");
  });
});

describe("an environment that is deleted", () => {
  it("fails the jobs that wait for it, with a reason of its own", async () => {
    await protect("gone", { count: 1 });
    const run = await begin(deploys("gone"));
    await run.become({ ship: "awaiting_approval approval:environment" });
    await service().remove(ada, ref(), "gone");
    await run.become({ ship: "failed environment_deleted:gone" });
    await runIs(bed.db, run.id, "failed");
    await expect(service().get(ref(), "gone")).rejects.toMatchObject({ code: "not_found" });
  });

  it("fails a job that was approved and waits for its turn", async () => {
    await protect("turn", { count: 1 });
    const holder = await begin(deploys("elsewhere", { concurrency: inGroup("turns") }));
    const held = await holder.runner.take("ship");
    await holder.runner.start(held);
    const run = await begin(deploys("turn", { concurrency: inGroup("turns") }));
    await run.approve();
    await run.become({ ship: "waiting concurrency:turns" });
    await service().remove(ada, ref(), "turn");
    await holder.runner.done(held);
    await run.become({ ship: "failed environment_deleted:turn" });
  });
});

describe("variables and secrets of an environment", () => {
  const key = [{ name: "KEY", env: "KEY", file: null, optional: false }];

  it("are for jobs that deploy there, with what the run was given on top", async () => {
    await protect("Vars", {});
    const shown = { SHOWN: "${{ vars.REGION }} ${{ vars.GIVEN }}" };
    const plan = planOf([
      planJob({ key: "ship", environment: { name: "vars", url: null }, env: shown, secrets: key }),
      planJob({ key: "other", env: shown }),
      planJob({ key: "without", secrets: key }),
    ]);
    await bed.db.query(
      `with s as (insert into secrets (id, environment_id, name) select 'sec_1', id, 'KEY' from environments where name = 'Vars' returning id)
       insert into secret_values (id, parent_id, sealed_value, size_bytes) select 'sval_1', id, '\\x00', 1 from s`,
    );
    const { id } = await insertRun(bed.db, repository, plan, {
      variables: { REGION: "all", GIVEN: "now" },
      variableLevels: { REGION: "repository" },
      environmentVariables: { vars: { REGION: "here", GIVEN: "not" } },
    });
    await eventually(async () => {
      expect(await jobsOf(bed.db, id)).toMatchObject({
        ship: "queued",
        other: "queued",
        without: "error secret_missing:KEY",
      });
      return true;
    });
    const rows = await bed.db.query<{ key: string; shown: string }>(
      `select j.key, a.job #>> '{env,SHOWN}' as shown from job_attempts a join jobs j on j.id = a.job_id
       where j.pipeline_id = $1 order by j.key`,
      [id],
    );
    expect(rows).toEqual([
      { key: "other", shown: "all now" },
      { key: "ship", shown: "here now" },
    ]);
  });
});
