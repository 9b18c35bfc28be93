/** How many different sets of runner labels one owner may have queued. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { maxSets } from "@forgeline/server/domains/pipelines/runs/label-set-limit.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import {
  handRunner,
  insertRepository,
  insertRun,
  jobsOf,
  planJob,
  planOf,
  runIs,
  type TestRepository,
} from "../../support/runs.ts";

let bed: Orchestration;
beforeAll(async () => {
  bed = await startOrchestration();
});
afterAll(() => bed.close());

async function begin(repository: TestRepository, sets: readonly string[][]) {
  const jobs = sets.map((runnerLabels, n) => planJob({ key: `j${n}`, runnerLabels }));
  return insertRun(bed.db, repository, planOf(jobs));
}
const settled = (id: string) =>
  eventually(async () => {
    const jobs = Object.values(await jobsOf(bed.db, id));
    return jobs.every((job) => !/^(created|waiting)/.test(job)) && jobs;
  });

it("more of them than an owner may have end as an error that says so, in whichever repository", async () => {
  const repository = await insertRepository(bed.db);
  const sets = Array.from({ length: maxSets + 3 }, (_, n) => [`host=${n}`, "docker"]);
  const crowd = await begin(repository, sets);
  const jobs = await settled(crowd.id);
  expect(jobs.filter((job) => job === "queued")).toHaveLength(maxSets + 1);
  expect(jobs.filter((job) => job === "error config")).toHaveLength(2);

  // The first of each repository, and those that are queued already, are none more; in whichever order they are asked for.
  const id = newId("repo");
  await bed.db.query("insert into repositories (id, owner_id, name) values ($1, $2, 'second')", [
    id,
    repository.userId,
  ]);
  const second = await begin({ ...repository, id }, [["b", "a"], ["a", "b"], ["c"]]);
  expect((await settled(second.id)).toSorted()).toEqual(["error config", "queued", "queued"]);
  const row = await bed.db.one<{ message: string }>(
    "select message from jobs where pipeline_id = $1 and status = 'error'",
    [second.id],
  );
  expect(row?.message).toContain(`have ${maxSets} more sets of runner labels queued than repositories`);

  const stranger = await begin(await insertRepository(bed.db), [["a"], ["c"]]);
  expect(await settled(stranger.id)).toEqual(["queued", "queued"]);

  // What has begun makes room.
  await handRunner(bed.db, crowd.id).run("j0");
  const after = await begin({ ...repository, id }, [["c"]]);
  await handRunner(bed.db, after.id).run("j0");
  await runIs(bed.db, after.id, "success");
});
