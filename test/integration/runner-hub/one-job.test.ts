/** A runner for one job: one lease, whatever becomes of it, and then nothing is left of the runner. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { claimNext } from "@forgeline/server/domains/pipelines/leases/claims.ts";
import { removeSpentRunners } from "@forgeline/server/domains/pipelines/runners/one-job.ts";
import { eventually } from "../../support/eventually.ts";
import { hubFixture, type HubFixture, type HubServer, type RunnerKey } from "./fixture.ts";

let hub: HubFixture;
let server: HubServer;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server();
});
afterAll(() => hub.close());
afterEach(() => hub.db.query("delete from job_attempts"));

async function oneJobRunner(): Promise<RunnerKey> {
  const key = await hub.runner();
  await hub.db.query("update runners set one_job = true where id = $1", [key.id]);
  return key;
}

const isThere = async ({ id }: RunnerKey) =>
  (await hub.db.one("select from runners where id = $1 and revoked_at is null", [id])) !== undefined;

test("it gets one job, is removed when that has ended, and its credential is void", async () => {
  const key = await oneJobRunner();
  const runner = hub.connect(server, key, { capacity: 5 });
  await runner.hello();
  await hub.queue();
  const second = await hub.queue();
  const lease = await runner.acceptNext();
  expect(await removeSpentRunners(hub.db)).toBe(0);
  await runner.runTrivially(lease);
  await eventually(async () => !(await isThere(key)));
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4403 });
  expect((await hub.attempt(second.attemptId)).state).toBe("queued");
  const removed = await hub.db.query("select details from audit_log where target_id = $1", [key.id]);
  expect(removed).toEqual([{ details: { reason: "its one job is over" } }]);
});

test("a job that is lost with it runs elsewhere, and no ghost waits for it", async () => {
  const key = await oneJobRunner();
  const { attemptId } = await hub.queue();
  await hub.db.query("update runners set match_labels = '{docker}', instance_id = 'one' where id = $1", [
    key.id,
  ]);
  const claimant = { runnerId: key.id, instanceId: "one", deadlineMs: 10_000 };
  expect((await claimNext(hub.db, claimant))?.attemptId).toBe(attemptId);
  // An offer alone uses nothing up: it was not accepted, or never arrived.
  await hub.db.query("update job_attempts set state = 'queued', runner_id = null");
  expect(await removeSpentRunners(hub.db)).toBe(0);
  expect((await claimNext(hub.db, claimant))?.attemptId).toBe(attemptId);
  await hub.db.query("update job_attempts set state = 'leased'");
  await hub.db.query("update runners set job_taken = true where id = $1", [key.id]);
  expect([await removeSpentRunners(hub.db), await isThere(key)]).toEqual([0, true]);
  // The lease ran out: the attempt is over, and so is the runner, connected or not.
  await hub.db.query("update job_attempts set state = 'ended', status = 'error', reason = 'runner_lost'");
  await hub.queue();
  expect(await claimNext(hub.db, claimant)).toBeUndefined();
  await eventually(async () => {
    await removeSpentRunners(hub.db);
    return !(await isThere(key));
  });
});

test("one that was registered and does not come is removed after ten minutes; others are not", async () => {
  const [absent, new_, ordinary] = [await oneJobRunner(), await oneJobRunner(), await hub.runner()];
  await hub.db.query("update runners set created_at = now() - interval '11 minutes' where id = any($1)", [
    [absent.id, ordinary.id],
  ]);
  await eventually(async () => {
    await removeSpentRunners(hub.db);
    return !(await isThere(absent));
  });
  expect([await isThere(new_), await isThere(ordinary)]).toEqual([true, true]);
});
