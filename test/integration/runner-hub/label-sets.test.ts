/** Many different sets of labels in the queue: who gets what, and what a claim reads. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { claimNext } from "@forgeline/server/domains/pipelines/leases/claims.ts";
import { matchLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { hubFixture, type HubFixture } from "./fixture.ts";

let hub: HubFixture;
beforeAll(async () => {
  hub = await hubFixture();
});
afterAll(() => hub.close());
afterEach(() => hub.db.query("delete from job_attempts"));

async function claimant(labels: string[], repositoryId?: string) {
  const { id } = await hub.runner(repositoryId === undefined ? {} : { repositoryId });
  await hub.db.query(
    "update runners set match_labels = $2, capacity = 100000, instance_id = 'one' where id = $1",
    [id, matchLabels(labels)],
  );
  return { runnerId: id, instanceId: "one", deadlineMs: 10_000 };
}

/** One queued attempt for each set. */
async function queueSets(repositoryId: string, sets: readonly (readonly string[])[]): Promise<void> {
  const { attemptId } = await hub.queue({ repositoryId });
  await hub.db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, labels, job)
     select 'att_' || $1 || n, job_id, pipeline_id, repository_id, n + 1,
       array(select jsonb_array_elements_text(labels.of)), job
     from job_attempts, jsonb_array_elements($2::jsonb) with ordinality as labels(of, n) where id = $1`,
    [attemptId, JSON.stringify(sets)],
  );
  await hub.db.query("delete from job_attempts where id = $1", [attemptId]);
}

// First, since rows that another test has removed are read until PostgreSQL forgets them.
test("sets that a runner lacks labels for cost its claims nothing, however many they are", async () => {
  const crowd = await hub.repository();
  const numbers = Array.from({ length: 3_000 }, (_, n) => `x${n}`);
  await queueSets(crowd, [
    ...numbers.map((label) => [label]),
    ...numbers.map((label) => ["docker", label]),
    ...numbers.map((label) => ["docker", "os=linux", label]),
  ]);
  const other = await hub.queue({ repositoryId: await hub.repository(), labels: ["docker"] });
  const runner = await claimant(["docker", "os=linux"]);
  expect((await claimNext(hub.db, runner))?.attemptId).toBe(other.attemptId);
  const reads = async () => {
    await hub.db.query("select pg_stat_force_next_flush()");
    const row = await hub.db.one<{ n: number }>(
      "select idx_tup_read as n from pg_stat_user_indexes where indexrelname = 'job_attempts_queue'",
    );
    return row?.n ?? 0;
  };
  const before = await reads();
  for (let n = 0; n < 10; n++) expect(await claimNext(hub.db, runner)).toBeUndefined();
  expect((await reads()) - before).toBeLessThan(500);
});

test("a runner gets all that fits it and nothing else, whatever else is queued", async () => {
  const random = seededRandom(20261125);
  const words = ["a", "B", "b=1", "b=*", "b", "c.d", "ca", "d", "E=x", "e-f", "z"];
  const some = () => words.filter(() => random() < 0.3).sort();
  const repositories = [await hub.repository(), await hub.repository()];
  for (const repositoryId of repositories)
    await queueSets(repositoryId, [[], ...Array.from({ length: 120 }, some)]);
  for (const only of [undefined, undefined, repositories[0], repositories[1], undefined]) {
    const own = some().filter((word) => !word.endsWith("*"));
    const fitting = await hub.db.one<{ n: number }>(
      `select count(*) as n from job_attempts where state = 'queued' and labels <@ $1
         and ($2::text is null or repository_id = $2)`,
      [matchLabels(own), only ?? null],
    );
    const runner = await claimant(own, only);
    let claimed = 0;
    while (await claimNext(hub.db, runner)) claimed += 1;
    expect({ own, only, claimed }).toEqual({ own, only, claimed: fitting?.n });
    await hub.db.query("update job_attempts set state = 'queued', runner_id = null");
  }
});
