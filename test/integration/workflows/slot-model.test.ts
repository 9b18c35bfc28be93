/** Random sequences of what happens to concurrency groups, each step in the database and in a model of the queue. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlanConcurrency } from "@forgeline/schemas/pipeline-file/plan.ts";
import { leaveOldOwner } from "@forgeline/server/domains/pipelines/concurrency/leave-owner.ts";
import { createConcurrencyService } from "@forgeline/server/domains/pipelines/concurrency/service.ts";
import {
  createSlotTaker,
  expectSlotsOf,
  releaseSlots,
} from "@forgeline/server/domains/pipelines/concurrency/take-slots.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { counted } from "../../support/counted.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { plainEvent } from "../../support/plain-event.ts";
import { insertRepository, insertRun, planJob, planOf, type TestRepository } from "../../support/runs.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { seed, size } from "../../support/size.ts";
import { slotModel, type ModelSlot } from "../../support/slot-model.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

const sequences = size(24, 1_000);
const steps = size(20, 60);

let database: TestDatabase;
let db: TextDatabase;
const repositories: TestRepository[] = [];
const runs: Run[] = [];

interface Run {
  id: string;
  number: number;
  repository: TestRepository;
  jobs: { id: string; key: string; matrix: null }[];
  stages: { id: string; name: string }[];
}

/** Only the first two share groups. */
const organizations = ["org_north", "org_south", "org_alone"];
const ownerOf = new Map<string, string>();
const sharedBy = (repository: string): string | null => {
  const owner = ownerOf.get(repository) ?? "";
  return owner === "org_alone" ? null : owner;
};

beforeAll(async () => {
  database = await testDatabase();
  const logger = createLogger({ name: "test", level: "silent" });
  db = withTexts(createDatabase({ url: database.url, poolSize: 2, applicationName: "test", logger }));
  for (const id of organizations) {
    await db.query("insert into owners (id, name, kind) values ($1, $1, 'org')", [id]);
    const shares = id !== "org_alone";
    await db.query("insert into organizations (id, shared_concurrency) values ($1, $2)", [id, shares]);
  }
  for (let count = 0; count < 3; count += 1) await addRepository();
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function addRepository(): Promise<void> {
  const repository = await insertRepository(db);
  repositories.push(repository);
  for (let count = 0; count < 4; count += 1) {
    const run = await insertRun(db, repository, planOf([planJob({ key: "a" }), planJob({ key: "b" })]));
    const jobs = await db.query<{ id: string; key: string }>(
      "select id, key from jobs where pipeline_id = $1 order by position",
      [run.id],
    );
    const stages = await db.query<{ id: string; name: string }>(
      "select id, name from stages where pipeline_id = $1",
      [run.id],
    );
    runs.push({ ...run, repository, jobs: jobs.map((job) => ({ ...job, matrix: null })), stages });
  }
}

/** Everybody at the beginning again. */
async function reset(): Promise<void> {
  await db.query("delete from concurrency_slots");
  await db.query("delete from outbox");
  for (const { id } of repositories) await giveTo(id, "org_north");
}

async function giveTo(repositoryId: string, owner: string): Promise<void> {
  ownerOf.set(repositoryId, owner);
  await db.transaction(async (tx) => {
    const text = "update repositories set owner_id = $2, name = id where id = $1";
    await tx.query(text, [repositoryId, owner]);
    await leaveOldOwner(tx, repositoryId);
  });
}

/** Of one sequence: most files of a repository say the same for a long time, and sometimes they do not. */
function sequence(random: () => number) {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const model = slotModel();
  const scope = pick(["repo", "org"] as const);
  const anyRule = () => ({
    limit: pick([1, 1, 2, 3]),
    order: pick(["created", "ready"] as const),
    waiting: pick(["all", "newest"] as const),
    cancelRunning: random() < 0.3,
  });
  const usual = anyRule();
  const isUsual = random() < 0.6;
  const rules = new Map<string, PlanConcurrency>();
  for (const { jobs } of runs) {
    const rule = isUsual ? usual : anyRule();
    for (const { id } of jobs) rules.set(id, { ...rule, scope, group: pick(["prod", "prod", "lab"]) });
  }
  const ruleOf = (job: string) => rules.get(job) as PlanConcurrency;

  function fresh(run: Run, job: string): ModelSlot | null {
    const { id: repository } = run.repository;
    const owner = scope === "repo" ? repository : sharedBy(repository);
    if (owner === null) return null;
    return { job, run: run.id, repository, owner, rule: ruleOf(job), state: "expected", by: null };
  }

  /** The run is created, or runs again. */
  async function begin(run: Run): Promise<void> {
    const jobs = run.jobs.map(({ id, key }) => planJob({ key, concurrency: ruleOf(id) }));
    const plan = { plan: planOf(jobs), event: plainEvent("a".repeat(40)), number: run.number };
    const nodes = { pipelineId: run.id, plan, stages: run.stages, jobs: run.jobs, approved: [] };
    await db.transaction((tx) => expectSlotsOf(tx, run.repository.id, nodes));
    for (const { id } of run.jobs) {
      const slot = ruleOf(id).order === "created" && !model.find(id) ? fresh(run, id) : null;
      if (slot) model.add(slot);
    }
  }

  async function ask(run: Run, job: string): Promise<void> {
    const wanted = [{ ...ruleOf(job), node: "job" as const, nodeId: job }];
    const answer = await db.transaction(async (tx) => {
      const place = { repositoryId: run.repository.id, pipelineId: run.id, hasSlots: true };
      return (await createSlotTaker(tx, place, wanted)).take(wanted);
    });
    const known = model.find(job);
    const slot = known ?? fresh(run, job);
    if (slot && !known) model.add(slot);
    if (slot?.state === "expected") model.ask(slot);
    const kind = slot === null ? "refused" : slot.by === null ? slot.state : "superseded";
    expect(answer.kind).toBe(kind);
  }

  async function end(run: Run, jobs: readonly string[]): Promise<void> {
    await db.transaction((tx) => releaseSlots(tx, run.id, jobs));
    model.end(jobs.flatMap((job) => model.find(job) ?? []));
  }

  async function release({ job, owner, repository, state }: ModelSlot): Promise<void> {
    const addresses = { baseUrl: "", webUrl: "" };
    const service = createConcurrencyService({ db, addresses });
    const row = await db.one<{ id: string }>("select id from concurrency_slots where node_id = $1", [job]);
    const ofOrganization = scope === "org" && random() < 0.5;
    const released = ofOrganization
      ? service.releaseOfOrganization(systemActor, { id: owner, name: owner }, row?.id ?? "")
      : service.release(systemActor, { id: repository }, row?.id ?? "");
    const outcome = await released.then(() => "released").catch((error: { code: string }) => error.code);
    const isTaken = state === "held" || state === "expected";
    expect(outcome).toBe(isTaken ? "released" : "conflict");
    if (isTaken) model.end([model.find(job) as ModelSlot]);
  }

  async function transfer(repository: string): Promise<void> {
    const to = pick(organizations);
    await giveTo(repository, to);
    const leave = model
      .slots()
      .filter((one) => one.repository === repository && scope === "org" && one.owner !== to)
      .filter(({ state }) => state === "expected" || state === "waiting");
    model.move(leave, sharedBy(repository));
  }

  /** What it was, for whoever reads a failure. */
  async function step(): Promise<string> {
    const run = pick(runs);
    const { id: job } = pick(run.jobs);
    const place = `#${run.number} of ${run.repository.id}`;
    const at = random();
    if (at < 0.25) return begin(run).then(() => `begin ${place}`);
    if (at < 0.65) return ask(run, job).then(() => `ask ${job} of ${place}`);
    if (at < 0.8) return end(run, [job]).then(() => `end ${job} of ${place}`);
    if (at < 0.87)
      return end(
        run,
        run.jobs.map(({ id }) => id),
      ).then(() => `cancel ${place}`);
    if (at < 0.93) return transfer(run.repository.id).then(() => `transfer ${run.repository.id}`);
    const slot = pick(model.slots());
    return slot ? release({ ...slot }).then(() => `release ${slot.job}`) : "nothing";
  }

  return { step, model };
}

function shown({ job, owner, rule, state, by, run, repository }: ModelSlot) {
  const newer = runs.find(({ id }) => id === by);
  const reason = newer && (newer.repository.id === repository ? `superseded:#${newer.number}` : "superseded");
  return { job, run, owner, group: rule.group, state, reason: reason ?? null };
}

/** Holders, queue and what gives way, in the order of places; and who was told what. */
async function found() {
  const slots = await db.query(
    `select node_id as job, pipeline_id as run, owner_id as owner, group_name as "group", state, superseded_reason as reason
     from concurrency_slots order by place`,
  );
  const told = await db.query<{ told: string }>(
    `with gone as (delete from outbox returning kind, payload -> 'change' as change)
     select (change ->> 'nodeId') || case when change ->> 'superseded' is null then ' look' else ' give way' end as told
     from gone where kind = 'slot_changed'`,
  );
  return { slots, told: told.map((row) => row.told).toSorted() };
}

test(`holders, queues and what gives way are those of the model in ${sequences} sequences (seed ${seed})`, async (context) => {
  const states = new Set<string>();
  for (let number = 0; number < sequences; number += 1) {
    await reset();
    const { step, model } = sequence(seededRandom(seed + number));
    const history: string[] = [];
    for (let count = 0; count < steps; count += 1) {
      try {
        history.push(await step());
        const expected = { slots: model.slots().map(shown), told: model.told() };
        expect(await found()).toEqual(expected);
      } catch (error) {
        throw new Error(`sequence ${number} after ${history.join("; ")}`, { cause: error });
      }
      for (const { state, by } of model.slots()) states.add(by === null ? state : `${state} for a newer one`);
    }
  }
  counted(context, { sequences, steps: sequences * steps });
  expect([...states].toSorted()).toEqual([
    "expected",
    "held",
    "held for a newer one",
    "superseded for a newer one",
    "waiting",
  ]);
});
