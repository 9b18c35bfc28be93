/** Who gets the next runner where many owners and repositories wait, and in which order the jobs of one repository go. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { claimNext } from "@forgeline/server/domains/pipelines/leases/claims.ts";
import { createTurns, longestWaitEvery } from "@forgeline/server/domains/pipelines/leases/turns.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { hubFixture, type HubFixture } from "./fixture.ts";

let hub: HubFixture;
beforeAll(async () => {
  hub = await hubFixture();
});
afterAll(() => hub.close());
afterEach(() => hub.db.query("delete from job_attempts"));

interface Owner {
  id: string;
  repositories: string[];
}

async function owner(repositories: number): Promise<Owner> {
  const id = newId("org");
  await hub.db.query("insert into owners (id, name, kind) values ($1, $1, 'org')", [id]);
  await hub.db.query("insert into organizations (id) values ($1)", [id]);
  const made = Array.from({ length: repositories }, () => newId("repo"));
  for (const repository of made)
    await hub.db.query("insert into repositories (id, owner_id, name) values ($1, $2, $1)", [repository, id]);
  return { id, repositories: made };
}

/** A runner with one kind of slot, as the claim statement sees it, and what it and its like remember. */
async function fleet(capacity: number, of: { organizationId?: string } = {}) {
  const { id } = await hub.runner();
  const scope = of.organizationId ?? "";
  await hub.db.query(
    "update runners set match_labels = '{docker}', capacity = $2, instance_id = 'one', organization_id = $3 where id = $1",
    [id, capacity, of.organizationId ?? null],
  );
  const turns = createTurns();
  return {
    async take() {
      const offer = await claimNext(
        hub.db,
        { runnerId: id, instanceId: "one", deadlineMs: 1e6 },
        turns.next(scope),
      );
      if (offer) turns.served(scope, offer);
      return offer;
    },
  };
}

/** So many attempts of one repository, with a priority, queued some minutes ago. */
async function queue(repositoryId: string, count: number, { priority = 0, minutes = 0 } = {}) {
  const { attemptId } = await hub.queue({ repositoryId });
  const rows = await hub.db.query<{ id: string }>(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, labels, job, priority, queued_at, turn_at)
     select 'att_' || $1 || n, job_id, pipeline_id, repository_id, n + 1, labels, job, $2::int,
       now() - $3::int * interval '1 minute', now() - $3::int * interval '1 minute' - $2::int * interval '6 minutes'
     from job_attempts, generate_series(1, $4::int) n where id = $5 returning id`,
    [`${attemptId.slice(-8)}_`, priority, minutes, count, attemptId],
  );
  await hub.db.query("delete from job_attempts where id = $1", [attemptId]);
  return rows.map(({ id }) => id);
}

const end = (attemptId: string) =>
  hub.db.query("update job_attempts set state = 'ended' where id = $1", [attemptId]);

test("two hundred jobs of one repository do not keep back the single one of another, also on a single slot", async () => {
  const [crowd, lone] = [await owner(1), await owner(1)];
  await queue(crowd.repositories[0] ?? "", 200, { minutes: 60, priority: 100 });
  const one = await fleet(1);
  const first = await one.take();
  expect(first?.ownerId).toBe(crowd.id);
  const [single] = await queue(lone.repositories[0] ?? "", 1);
  expect(await one.take()).toBeUndefined();
  await end(first?.attemptId ?? "");
  expect((await one.take())?.attemptId).toBe(single);
});

test("owners share equally, however many repositories each has, and repositories share what is their owner's", async () => {
  const [many, few] = [await owner(5), await owner(1)];
  for (const repository of [...many.repositories, ...few.repositories]) await queue(repository, 40);
  const runner = await fleet(30);
  const taken: string[] = [];
  for (let offer = await runner.take(); offer; offer = await runner.take()) taken.push(offer.repositoryId);
  const of = (repository: string | undefined) => taken.filter((one) => one === repository).length;
  expect(taken).toHaveLength(30);
  expect(of(few.repositories[0])).toBeGreaterThanOrEqual(14);
  for (const repository of many.repositories) expect(of(repository)).toBeGreaterThanOrEqual(2);
});

test("runners that an organization brings itself cost it nothing of its share of the others", async () => {
  const [rich, other] = [await owner(1), await owner(1)];
  await queue(rich.repositories[0] ?? "", 20, { minutes: 5 });
  const own = await fleet(10, { organizationId: rich.id });
  for (let n = 0; n < 10; n++) expect((await own.take())?.ownerId).toBe(rich.id);
  await queue(other.repositories[0] ?? "", 20);
  const shared = await fleet(8);
  const taken: (string | null | undefined)[] = [];
  for (let n = 0; n < 8; n++) taken.push((await shared.take())?.ownerId);
  expect(taken.filter((id) => id === rich.id)).toHaveLength(4);
});

test("within a repository, what is more important goes first, until the other has waited long enough", async () => {
  const [repository = ""] = (await owner(1)).repositories;
  const [plain] = await queue(repository, 1, { minutes: 30 });
  const [urgent] = await queue(repository, 1, { priority: 10 });
  const [late] = await queue(repository, 1, { priority: -10, minutes: 50 });
  const [old] = await queue(repository, 1, { priority: -100, minutes: 12 * 60 });
  const runner = await fleet(9);
  const order: (string | undefined)[] = [];
  for (let n = 0; n < 4; n++) order.push((await runner.take())?.attemptId);
  expect(order).toEqual([old, urgent, plain, late]);
});

test("an offer that goes back keeps its place", async () => {
  const [repository = ""] = (await owner(1)).repositories;
  const [urgent] = await queue(repository, 1, { priority: 5 });
  await queue(repository, 3);
  const runner = await fleet(9);
  const offer = await runner.take();
  expect(offer?.attemptId).toBe(urgent);
  await hub.db.query("update job_attempts set state = 'queued', runner_id = null where id = $1", [urgent]);
  expect((await runner.take())?.attemptId).toBe(urgent);
});

test("one offer in sixteen goes to what has waited longest: an owner with more under way does not wait for ever", async () => {
  const [busy, flood] = [await owner(1), await owner(1)];
  // Under way for hours, on a machine of its own kind among the instance's.
  const held = await queue(busy.repositories[0] ?? "", 20);
  await hub.db.query(
    "update job_attempts set state = 'leased', share_scope = '', share_owner = $2 where id = any($1)",
    [held, busy.id],
  );
  const [waiting] = await queue(busy.repositories[0] ?? "", 1, { minutes: 5 });
  await queue(flood.repositories[0] ?? "", 50, { minutes: 2 });
  const one = await fleet(1);
  for (let n = 1; n <= longestWaitEvery; n++) {
    const offer = await one.take();
    await end(offer?.attemptId ?? "");
    expect(offer?.attemptId === waiting).toBe(n === longestWaitEvery);
  }
});

interface Waiting {
  owner: string;
  endsAt: number;
}

/** What came of a simulated fleet: jobs come at random, from one owner very many at once, and take some steps each. */
async function simulate(seed: number, slots: number) {
  const random = seededRandom(seed);
  const owners = [await owner(3), await owner(1), await owner(2), await owner(1)];
  const runner = await fleet(slots);
  const queued = new Map<string, Waiting>();
  const running = new Map<string, Waiting>();
  const served = new Map(owners.map(({ id }) => [id, 0]));
  const passedOver = new Map(owners.map(({ id }) => [id, 0]));
  const result = { passedOver: 0, difference: 0, served: [] as number[] };
  const add = async (of: Owner, count: number) => {
    const repository = of.repositories[Math.floor(random() * of.repositories.length)] ?? "";
    const priority = Math.floor(random() * 201) - 100;
    for (const id of await queue(repository, count, { priority }))
      queued.set(id, { owner: of.id, endsAt: 0 });
  };
  const waiting = () => new Set([...queued.values()].map((job) => job.owner));
  for (const [n, each] of owners.entries()) await add(each, n === 0 ? 150 : 2);
  for (let step = 1; step <= 60; step++) {
    for (const other of owners.slice(1)) if (random() < 0.15) await add(other, 1 + Math.floor(random() * 2));
    for (const [id, job] of running)
      if (job.endsAt <= step) {
        await end(id);
        running.delete(id);
      }
    const before = waiting();
    for (let offer = await runner.take(); offer; offer = await runner.take()) {
      const { owner: id } = queued.get(offer.attemptId) ?? { owner: "" };
      queued.delete(offer.attemptId);
      running.set(offer.attemptId, { owner: id, endsAt: step + 1 + Math.floor(random() * 3) });
      served.set(id, (served.get(id) ?? 0) + 1);
      const left = waiting();
      for (const [other, count] of passedOver)
        passedOver.set(other, other === id || !left.has(other) ? 0 : count + 1);
      result.passedOver = Math.max(result.passedOver, ...passedOver.values());
    }
    // Of those that still wait.
    const counts = [...waiting()]
      .filter((id) => before.has(id))
      .map((id) => [...running.values()].filter((job) => job.owner === id).length);
    if (counts.length > 1)
      result.difference = Math.max(result.difference, Math.max(...counts) - Math.min(...counts));
  }
  return { ...result, served: [...served.values()] };
}

test("in a simulated fleet nobody starves, and shares stay within bounds", { timeout: 120_000 }, async () => {
  for (const [seed, slots] of [
    [20261128, 1],
    [20261129, 4],
    [20261130, 8],
  ] as const) {
    const { passedOver, difference, served } = await simulate(seed, slots);
    await hub.db.query("delete from job_attempts");
    const [flooder = 0] = served;
    const all = served.reduce((sum, count) => sum + count, 0);
    const facts = { seed, passedOver, difference, served };
    expect(passedOver, JSON.stringify(facts)).toBeLessThanOrEqual(2 * served.length + slots);
    expect(difference, JSON.stringify(facts)).toBeLessThanOrEqual(1 + Math.ceil(slots / 2));
    // Who floods has no less than the others either.
    expect(flooder, JSON.stringify(facts)).toBeGreaterThanOrEqual(Math.floor(all / served.length) - slots);
  }
});
