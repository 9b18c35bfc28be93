/** Who gets what out of the queue. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  claimNext,
  returnExpiredOffers,
  returnOffer,
} from "@forgeline/server/domains/pipelines/leases/claims.ts";
import { queueReasons } from "@forgeline/server/domains/pipelines/runs/queue-reasons.ts";
import { readRun } from "@forgeline/server/domains/pipelines/runs/runs.store.ts";
import { matchLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";
import { size } from "../../support/size.ts";
import { eventually } from "../../support/eventually.ts";
import { hubFixture, type HubFixture } from "./fixture.ts";

let hub: HubFixture;
beforeAll(async () => {
  hub = await hubFixture();
});
afterAll(() => hub.close());
afterEach(() => hub.db.query("delete from job_attempts"));

/** A connected runner as the claim statement sees it, without a socket. */
async function claimant(labels: string[], capacity = 100, repositoryId?: string) {
  const { id } = await hub.runner(repositoryId === undefined ? {} : { repositoryId });
  await hub.db.query(
    "update runners set match_labels = $2, capacity = $3, instance_id = 'one' where id = $1",
    [id, matchLabels(labels), capacity],
  );
  return { runnerId: id, instanceId: "one", deadlineMs: 10_000 };
}

test("labels must all be there; key=* stands for any value", async () => {
  const wildcard = await hub.queue({ labels: ["gpu=*", "os=linux"] });
  await hub.queue({ labels: ["os=windows"] });
  expect(await claimNext(hub.db, await claimant(["os=linux"]))).toBeUndefined();
  expect(await claimNext(hub.db, await claimant(["gpu", "os=linux"]))).toBeUndefined();
  const claimed = await claimNext(hub.db, await claimant(["gpu=t4", "os=linux", "more"]));
  expect(claimed).toMatchObject({ attemptId: wildcard.attemptId, epoch: 1 });
});

test("a repository's runner serves that repository only", async () => {
  const mine = await hub.repository();
  await hub.queue();
  const runner = await claimant(["docker"], 5, mine);
  expect(await claimNext(hub.db, runner)).toBeUndefined();
  const job = await hub.queue({ repositoryId: mine });
  expect(await claimNext(hub.db, runner)).toMatchObject({ attemptId: job.attemptId });
});

test("capacity, pause, drain, a newer instance and removal stop claims", async () => {
  const first = await hub.queue();
  await hub.queue();
  const runner = await claimant(["docker"], 1);
  expect(await claimNext(hub.db, runner)).toMatchObject({ attemptId: first.attemptId });
  expect(await claimNext(hub.db, runner)).toBeUndefined();
  await hub.db.query("update job_attempts set state = 'leased' where id = $1", [first.attemptId]);
  expect(await claimNext(hub.db, runner)).toBeUndefined();
  await hub.db.query("update runners set capacity = 9 where id = $1", [runner.runnerId]);
  for (const column of ["paused", "draining", "agent_draining"]) {
    await hub.db.query(`update runners set ${column} = true where id = $1`, [runner.runnerId]);
    expect(await claimNext(hub.db, runner)).toBeUndefined();
    await hub.db.query(`update runners set ${column} = false where id = $1`, [runner.runnerId]);
  }
  expect(await claimNext(hub.db, { ...runner, instanceId: "another" })).toBeUndefined();
  await hub.db.query("update runners set revoked_at = now() where id = $1", [runner.runnerId]);
  expect(await claimNext(hub.db, runner)).toBeUndefined();
  await hub.db.query("update runners set revoked_at = null where id = $1", [runner.runnerId]);
  expect(await claimNext(hub.db, runner)).toBeDefined();
});

test("an offer goes back by its epoch, once, and by itself when its time is over", async () => {
  const { attemptId } = await hub.queue();
  const runner = await claimant(["docker"]);
  const first = (await claimNext(hub.db, runner)) ?? { attemptId: "", epoch: 0 };
  expect(await returnExpiredOffers(hub.db)).toBe(0);
  for (const epoch of [first.epoch - 1, first.epoch + 1])
    expect(await returnOffer(hub.db, { attemptId, epoch })).toBe(false);
  expect(await returnOffer(hub.db, first)).toBe(true);
  expect(await hub.attempt(attemptId)).toMatchObject({ state: "queued", runner_id: null });
  expect(await returnOffer(hub.db, first)).toBe(false);

  const second = (await claimNext(hub.db, runner)) ?? first;
  await hub.db.query("update job_attempts set offer_expires_at = now() - interval '1 minute'");
  await hub.db.query("update job_attempts set state = 'leased'");
  expect([await returnExpiredOffers(hub.db), await returnOffer(hub.db, second)]).toEqual([0, false]);
  await hub.db.query("update job_attempts set state = 'offered'");
  expect(await returnExpiredOffers(hub.db)).toBe(1);
  expect(await hub.attempt(attemptId)).toMatchObject({ state: "queued", runner_id: null, epoch: 2 });
});

test("what a job waits for: a runner that may take it, has its labels, takes jobs at all, and has room", async () => {
  await hub.db.query("update runners set instance_id = null");
  const { attemptId, pipelineId } = await hub.queue({ labels: ["qa", "qb"] });
  const why = async () => {
    const read = queueReasons((await readRun(hub.db, pipelineId))?.queue ?? []).get(attemptId);
    return read && { reason: read.reason, message: read.message };
  };
  const noMatch = (message: string) => ({ reason: "no_matching_runner", message });
  const nobody = noMatch("No runner that can take this job is connected.");
  expect(await why()).toEqual(nobody);
  await claimant(["qa", "qb"], 5, await hub.repository());
  expect(await why()).toEqual(nobody);

  const { runnerId } = await claimant(["qa", "else"], 1);
  const change = (sql: string) => hub.db.query(`update runners set ${sql} where id = $1`, [runnerId]);
  const nearest = `runner ${runnerId.slice(-6)}`;
  expect(await why()).toEqual(noMatch(`No runner has all the labels; the nearest, ${nearest}, lacks qb.`));
  // Neither the nearest nor one that fits is one that is gone.
  for (const labels of ["{qa,else}", "{qa,qb}"]) {
    for (const gone of ["instance_id = null", "instance_id = 'one', revoked_at = now()"]) {
      await change(`${gone}, match_labels = '${labels}'`);
      expect(await why()).toEqual(nobody);
    }
    await change("revoked_at = null");
  }
  const offline = "instance_id = null, match_labels = '{qa,qb}', last_seen_at = '2026-03-01T09:30:00Z'";
  await change(offline);
  const since = "been offline since 2026-03-01 09:30 UTC. No other that fits is connected.";
  expect(await why()).toEqual(noMatch(`A runner that fits has ${since}`));
  const owned = "repository_id = (select repository_id from pipelines where id = $2)";
  await hub.db.query(`update runners set ${owned} where id = $1`, [runnerId, pipelineId]);
  expect(await why()).toEqual(noMatch(`The runner ${nearest} fits, but has ${since}`));
  await change("repository_id = null, instance_id = 'one', last_seen_at = null");
  for (const flag of ["paused", "draining", "agent_draining"]) {
    await change(`${flag} = true`);
    expect(await why()).toMatchObject({ reason: "paused" });
    await change(`${flag} = false`);
  }
  const room = {
    reason: "no_free_runner",
    message: "A matching runner is free and has been offered the job.",
  };
  expect(await why()).toEqual(room);
  const held = await hub.queue({ labels: ["qa"] });
  for (const state of ["offered", "leased", "ended"]) {
    await hub.db.query("update job_attempts set state = $2, runner_id = $3 where id = $1", [
      held.attemptId,
      state,
      runnerId,
    ]);
    const busy = { ...room, message: "Waits for a runner: all matching runners are busy." };
    expect(await why()).toEqual(state === "ended" ? room : busy);
  }
});

test("a label that the job rules out, and one that the runner insists on, are named like a missing one", async () => {
  await hub.db.query("update runners set instance_id = null");
  const { runnerId } = await claimant(["qa", "slow", "gpu=t4"]);
  await hub.db.query("update runners set name = 'near', must_name = '{gpu=t4}' where id = $1", [runnerId]);
  const other = await claimant(["other"]);
  await hub.db.query("update runners set name = 'another' where id = $1", [other.runnerId]);
  const why = async (labels: string[]) => {
    const { attemptId, pipelineId } = await hub.queue({ labels });
    return queueReasons((await readRun(hub.db, pipelineId))?.queue ?? []).get(attemptId)?.message;
  };
  const room = "A matching runner is free and has been offered the job.";
  expect(await why(["!fast", "gpu=*", "qa"])).toBe(room);
  expect(await why(["!slow", "gpu=t4"])).toBe(
    "No runner fits; the nearest, near, has slow, which the job rules out.",
  );
  expect(await why(["qa"])).toBe("No runner fits; the nearest, near, only takes jobs that ask for gpu=t4.");
  expect(await why(["!gpu=*", "qa", "qb"])).toBe(
    "No runner fits; the nearest, near, lacks qb; it has gpu=*, which the job rules out; it only takes jobs that ask for gpu=t4.",
  );
  expect(await why(["gpu=t4", "qb"])).toBe("No runner has all the labels; the nearest, near, lacks qb.");
  await hub.db.query("update runners set one_job = true, job_taken = true where id = any($1)", [
    [runnerId, other.runnerId],
  ]);
  expect(await why(["gpu=t4"])).toBe("No runner that can take this job is connected.");
});

test("the repository with the fewest held attempts goes first, then the oldest", async () => {
  const [busy, calm] = [await hub.repository(), await hub.repository()];
  const order: string[] = [];
  for (let n = 0; n < 3; n++) await hub.queue({ repositoryId: busy });
  const late = await hub.queue({ repositoryId: calm });
  const runner = await claimant(["docker"]);
  for (let n = 0; n < 4; n++) order.push((await claimNext(hub.db, runner))?.repositoryId ?? "");
  expect(order).toEqual([busy, calm, busy, busy]);
  expect((await hub.attempt(late.attemptId)).state).toBe("offered");
});

test("ten thousand queued attempts of one repository do not make a claim read them all", async () => {
  const [crowd, lone] = [await hub.repository(), await hub.repository()];
  const first = await hub.queue({ repositoryId: crowd, labels: ["rare"] });
  await hub.db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, labels, job)
     select 'att_' || n, job_id, pipeline_id, repository_id, n, case when n % 2 = 0 then labels else '{docker}' end, job
     from job_attempts, generate_series(2, 10000) n where id = $1`,
    [first.attemptId],
  );
  const other = await hub.queue({ repositoryId: lone });
  const runner = await claimant(["docker"]);
  expect((await claimNext(hub.db, runner))?.repositoryId).toBe(crowd);
  expect((await claimNext(hub.db, runner))?.attemptId).toBe(other.attemptId);
  // What it read: a handful of index pages, not the crowd.
  const reads = () =>
    hub.db.one<{ n: number }>(
      "select coalesce(idx_tup_read, 0) as n from pg_stat_user_indexes where indexrelname = 'job_attempts_queue'",
    );
  const settled = async () => {
    await hub.db.query("select pg_stat_force_next_flush()");
    return (await reads())?.n ?? 0;
  };
  const before = await settled();
  for (let n = 0; n < 10; n++) await claimNext(hub.db, runner);
  expect((await settled()) - before).toBeLessThan(5_000);
});

const raced = size(60, 200);
test(`two servers race for ${raced} jobs: each is leased once and done once`, async () => {
  const servers = [await hub.server(), await hub.server()];
  const repositories = [await hub.repository(), await hub.repository(), await hub.repository()];
  const wanted = new Set<string>();
  for (let n = 0; n < raced; n++) {
    const job = await hub.queue({ repositoryId: repositories[n % 3] ?? "" });
    wanted.add(job.attemptId);
  }
  const leased: string[] = [];
  for (const server of [...servers, ...servers]) {
    const runner = hub.connect(server, await hub.runner(), { capacity: 5 });
    await runner.hello();
    const takeAll = () => {
      for (;;) {
        const at = runner.received.findIndex((message) => message.t === "offer" || message.t === "lease");
        const message = at < 0 ? undefined : runner.received.splice(at, 1)[0];
        if (message?.t === "offer") {
          const { attemptId, epoch } = message;
          runner.say({ t: "offer_answer", attemptId, epoch, accept: true, reject: null });
        } else if (message?.t === "lease") {
          leased.push(message.spec.attemptId);
          void runner.runTrivially(message.spec);
        } else return;
      }
    };
    runner.socket.on("message", takeAll);
    // Offers that came together with the welcome: with all slots taken by them, no other message would follow.
    takeAll();
  }
  await eventually(
    async () => {
      const row = await hub.db.one<{ n: number }>(
        "select count(*)::int as n from job_attempts where state = 'ended' and status = 'success'",
      );
      return row?.n === raced;
    },
    { timeoutMs: 50_000, intervalMs: 100 },
  );
  expect(leased.length).toBe(raced);
  expect(new Set(leased)).toEqual(wanted);
  const rows = await hub.db.query<{ epoch: number }>("select distinct epoch from job_attempts");
  expect(rows).toEqual([{ epoch: 1 }]);
  const done = await hub.db.one<{ n: number }>(
    "select count(*)::int as n from outbox where payload #>> '{fact,kind}' = 'done'",
  );
  expect(done?.n).toBe(raced);
  for (const server of servers) await server.stop();
});
