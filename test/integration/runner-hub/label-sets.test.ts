/** Many different sets of labels in the queue: who gets what, and what a claim reads. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { claimNext } from "@forgeline/server/domains/pipelines/leases/claims.ts";
import { mandatoryLabels, matchLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { hubFixture, type HubFixture } from "./fixture.ts";

let hub: HubFixture;
beforeAll(async () => {
  hub = await hubFixture();
});
afterAll(() => hub.close());
afterEach(() => hub.db.query("delete from job_attempts"));

async function claimant(labels: string[], repositoryId?: string, organizationId: string | null = null) {
  const { id } = await hub.runner(repositoryId === undefined ? {} : { repositoryId });
  await hub.db.query(
    `update runners set match_labels = $2, must_name = $3, organization_id = $4, capacity = 100000,
       instance_id = 'one' where id = $1`,
    [id, matchLabels(labels), mandatoryLabels(labels), organizationId],
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

test("labels that jobs rule out are skipped too, and those that a runner lacks behind them", async () => {
  const crowd = await hub.repository();
  const numbers = Array.from({ length: 3_000 }, (_, n) => `x${n}`);
  await queueSets(crowd, [
    ...numbers.map((label) => ["!docker", label]),
    ...numbers.map((label) => ["!gpu", label]),
    ...numbers.map((label) => ["!gpu", "docker", label]),
  ]);
  const other = await hub.queue({ repositoryId: crowd, labels: ["!gpu", "docker"] });
  const runner = await claimant(["docker", "os=linux"]);
  expect((await claimNext(hub.db, runner))?.attemptId).toBe(other.attemptId);
  expect(await claimNext(hub.db, runner)).toBeUndefined();
});

/** As the rules say it, without any index. */
function fits(asked: readonly string[], own: readonly string[]): boolean {
  const has = new Set(matchLabels(own));
  return (
    asked.every((label) => (label.startsWith("!") ? !has.has(label.slice(1)) : has.has(label))) &&
    mandatoryLabels(own).every((label) => asked.includes(label) || asked.includes(`${label.split("=")[0]}=*`))
  );
}

test("runners of organizations, with mandatory labels, get all that fits and nothing else", async () => {
  const random = seededRandom(20261128);
  const words = ["a", "b=1", "b=*", "b=2", "c.d", "d", "e-f", "z"];
  const some = (chance: number) => words.filter(() => random() < chance);
  const set = () => [...some(0.2), ...some(0.12).map((word) => `!${word}`)].sort();
  const { organizations, repositories } = await hub.scopes();
  for (const { id } of repositories)
    await queueSets(
      id,
      [[], ...Array.from({ length: 40 }, set)].map((each) => [...new Set(each)]),
    );
  const queued = await hub.db.query<{ id: string; labels: string[]; repository_id: string }>(
    "select id, labels, repository_id from job_attempts where state = 'queued'",
  );
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  for (let round = 0; round < 16; round++) {
    const own = some(0.5)
      .filter((word) => !word.endsWith("*"))
      .map((word) => (random() < 0.2 ? `!${word}` : word));
    const organizationId = pick([null, ...organizations]) ?? null;
    const served = repositories.filter(
      ({ ownerId }) => organizationId === null || ownerId === organizationId,
    );
    const servedIds = new Set(served.map(({ id }) => id));
    const expected = queued.filter((row) => servedIds.has(row.repository_id) && fits(row.labels, own));
    const runner = await claimant(own, undefined, organizationId);
    const claimed: string[] = [];
    for (let offer = await claimNext(hub.db, runner); offer; offer = await claimNext(hub.db, runner))
      claimed.push(offer.attemptId);
    expect({ own, round, claimed: claimed.sort() }).toEqual({
      own,
      round,
      claimed: expected.map(({ id }) => id).sort(),
    });
    await hub.db.query("update job_attempts set state = 'queued', runner_id = null");
  }
});
