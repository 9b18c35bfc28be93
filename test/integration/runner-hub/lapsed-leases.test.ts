/** What a sweep finds in the rows: leases that ran out, and steps that take too long. No socket, only database times. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import { recordAttemptReclaimed } from "@forgeline/server/domains/pipelines/runs/attempt-facts.ts";
import { reclaim } from "@forgeline/server/domains/pipelines/leases/reclaim.ts";
import { runnerSettings } from "@forgeline/server/domains/pipelines/runners/settings.ts";
import { findOverdue } from "@forgeline/server/domains/pipelines/leases/overdue.store.ts";
import { cancelOverdue } from "@forgeline/server/domains/pipelines/leases/step-limits.ts";
import { createSweeper } from "@forgeline/server/domains/pipelines/leases/sweeper.ts";
import { markUptime } from "@forgeline/server/domains/pipelines/leases/uptime.store.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { hubFixture, type HubFixture } from "./fixture.ts";
import { planStep } from "./queued-attempt.ts";

let hub: HubFixture;
beforeAll(async () => {
  hub = await hubFixture();
});
beforeEach(() =>
  hub.db.query("update server_uptime set seen_at = now(), up_since = now() - interval '1 day'"),
);
afterAll(() => hub.close());

const settings = { ...runnerSettings(), reclaimMs: 90_000, unreachableMs: 30_000, uptimeGapMs: 8_000 };

function sweep(): Promise<void> {
  const logs = { closeAbandoned: () => Promise.resolve() };
  const logger = createLogger({ name: "test", level: "silent" });
  return createSweeper({ db: hub.db, logger, logs, settings, serverId: "one" }).sweep();
}

/** A lease of a runner that was last heard so long ago. */
async function leased(silence: string, job: Parameters<HubFixture["queue"]>[0] = {}) {
  const { attemptId, pipelineId } = await hub.queue(job);
  const { id: runnerId } = await hub.runner();
  await hub.db.query(
    `update job_attempts set state = 'leased', epoch = 1, runner_id = $2, lease_renewed_at = now() - $3::interval
     where id = $1`,
    [attemptId, runnerId, silence],
  );
  return { attemptId, pipelineId, runnerId };
}

describe("a lease that ran out", () => {
  test.each([
    ["ended", true, false],
    ["ended", true, true],
    ["ended", false, false],
    ["leased", false, true],
  ])("is %s with rerun_if_lost: %s and a first step begun: %s", async (state, rerunIfLost, begun) => {
    const { attemptId } = await leased("10 minutes", { job: { rerunIfLost } });
    await hub.db.query("update job_attempts set begun = $2 where id = $1", [attemptId, begun]);
    await sweep();
    const isLost = state === "ended";
    const lost = {
      state,
      unreachable: !isLost,
      epoch: isLost ? 2 : 1,
      reason: isLost ? "runner_lost" : null,
    };
    expect(await hub.attempt(attemptId)).toMatchObject(lost);
    await sweep();
    expect(await hub.attempt(attemptId)).toMatchObject(lost);
  });

  test("is shown before it is taken away", async () => {
    const leases = [await leased("10 seconds"), await leased("1 minute"), await leased("2 minutes")];
    await sweep();
    const rows = await Promise.all(leases.map(({ attemptId }) => hub.attempt(attemptId)));
    expect(rows.map(({ state, unreachable }) => [state, unreachable])).toEqual([
      ["leased", false],
      ["leased", true],
      ["ended", false],
    ]);
  });

  test("is looked at again before it is taken: what was renewed meanwhile stays", async () => {
    const { attemptId } = await leased("1 second");
    expect(await reclaim(hub.db, attemptId, settings.reclaimMs)).toBe(false);
    await hub.db.query("update job_attempts set lease_renewed_at = now() - interval '1 hour' where id = $1", [
      attemptId,
    ]);
    expect(await reclaim(hub.db, attemptId, settings.reclaimMs)).toBe(true);
    expect(await reclaim(hub.db, attemptId, settings.reclaimMs)).toBe(false);
    expect(await hub.attempt(attemptId)).toMatchObject({ state: "ended", epoch: 2 });
  });

  test("ends the step that ran, and skips those that did not", async () => {
    const steps = [0, 1, 2].map((position) => planStep({ position }));
    const { attemptId } = await leased("1 second", { job: { steps } });
    const set = (position: number, status: string) =>
      hub.db.query("update steps set status = $3 where attempt_id = $1 and position = $2", [
        attemptId,
        position,
        status,
      ]);
    await set(0, "success");
    await set(1, "running");
    expect(await hub.db.transaction((tx) => recordAttemptReclaimed(tx, { attemptId }))).toBe(true);
    const rows = await hub.db.query(
      `select status, reason, message, finished_at is not null as finished from steps
       where attempt_id = $1 order by position`,
      [attemptId],
    );
    expect(rows).toEqual([
      { status: "success", reason: null, message: null, finished: false },
      {
        status: "error",
        reason: "runner_lost",
        message: "The runner stopped answering and its lease ran out.",
        finished: true,
      },
      { status: "skipped", reason: "runner_lost", message: "The step was not reached.", finished: false },
    ]);
  });
});

describe("time", () => {
  test("without any server does not count", async () => {
    const { attemptId } = await leased("10 minutes");
    await hub.db.query("update server_uptime set seen_at = now() - interval '9 minutes'");
    await sweep();
    expect(await hub.attempt(attemptId)).toMatchObject({ state: "leased", unreachable: false });

    // The same silence with a server up all the while.
    await hub.db.query("update server_uptime set seen_at = now(), up_since = now() - interval '1 day'");
    await sweep();
    expect(await hub.attempt(attemptId)).toMatchObject({ state: "ended", reason: "runner_lost" });
  });

  test("counts through a short gap between marks, and marks never go back", async () => {
    await hub.db.query(
      "update server_uptime set seen_at = now() - interval '5 seconds', up_since = '2020-01-01'",
    );
    await markUptime(hub.db, "two", 8_000);
    const row = await hub.db.one<{ kept: boolean; fresh: boolean }>(
      "select up_since = '2020-01-01' as kept, seen_at > now() - interval '1 second' as fresh from server_uptime",
    );
    expect(row).toEqual({ kept: true, fresh: true });
    await hub.db.query("update server_uptime set seen_at = now() + interval '1 hour'");
    await markUptime(hub.db, "two", 8_000);
    const ahead = "select 1 from server_uptime where seen_at > now() + interval '59 minutes'";
    expect(await hub.db.query(ahead)).toHaveLength(1);
  });
});

describe("a step that runs", () => {
  const bounds = { slackMs: 60_000, freshMs: 30_000 };

  /** A step of at most a minute, and half a minute of silence, that has run and been silent for an hour. */
  async function running(steps = [planStep({ timeoutMs: 60_000, idleTimeoutMs: 30_000 })]) {
    const lease = await leased("1 second", { job: { steps } });
    const { attemptId, pipelineId, runnerId } = lease;
    await hub.db.query(
      "update steps set status = 'running', recorded_at = now() - interval '1 hour' where attempt_id = $1",
      [attemptId],
    );
    await hub.db.query("update runners set connected_at = now() - interval '1 day' where id = $1", [
      runnerId,
    ]);
    await hub.db.query(
      `insert into log_streams (id, attempt_id, pipeline_id, kind, step, position, last_output_at)
       values ($1::text || '0', $1, $2, 'step', 0, 1, now() - interval '1 hour'),
         ($1::text || '1', $1, $2, 'step', 1, 2, now())`,
      [attemptId, pipelineId],
    );
    return lease;
  }

  test.each([
    ["timeout", "has had its time", ""],
    ["idle_timeout", "was silent, and may take as long as it likes", "update steps set timeout_ms = null"],
    ["none", "has no limits", "update steps set timeout_ms = null, idle_timeout_ms = null"],
    [
      "timeout",
      "has had its time, and its runner does not say so",
      "update steps set idle_timeout_ms = null, recorded_at = now() - interval '140 seconds'",
    ],
    [
      "none",
      "has had its time, but its runner may be saying so just now",
      "update steps set idle_timeout_ms = null, recorded_at = now() - interval '100 seconds'",
    ],
    [
      "none",
      "was silent, but its runner may be saying so just now",
      `update steps set timeout_ms = null;
       update log_streams set last_output_at = now() - interval '60 seconds' where step = 0`,
    ],
    [
      "none",
      "began just now, and has not printed yet",
      "update steps set timeout_ms = null, recorded_at = now() - interval '60 seconds'",
    ],
    [
      "none",
      "was silent while its runner was away",
      "update steps set timeout_ms = null; update runners set connected_at = now() - interval '60 seconds'",
    ],
    [
      "none",
      "was silent while no server was there",
      "update steps set timeout_ms = null; update server_uptime set up_since = now() - interval '60 seconds'",
    ],
    [
      "none",
      "has a runner that is not in touch",
      "update job_attempts set lease_renewed_at = now() - interval '1 minute'",
    ],
    ["none", "was stopped already", "update job_attempts set cancel = '{}'"],
    ["none", "is over", "update steps set status = 'success'"],
    ["none", "has an attempt that is over", "update job_attempts set state = 'ended'"],
  ])("%s: %s", async (limit, _what, sql) => {
    await hub.db.query("delete from job_attempts");
    const { attemptId } = await running();
    for (const statement of sql.split(";").filter(Boolean)) await hub.db.query(statement);
    const found = await findOverdue(hub.db, bounds);
    const limitMs = limit === "timeout" ? 60_000 : 30_000;
    const overdue = { attemptId, epoch: 1, name: "step one", limit, limitMs };
    expect(found).toEqual(limit === "none" ? [] : [overdue]);
  });

  test("is found by its own time and silence, whatever runs at the same time", async () => {
    await hub.db.query("delete from job_attempts");
    const [first, ...others] = [0, 1, 2].map((position) =>
      planStep({ position, name: `step ${position}`, parallel: 0, idleTimeoutMs: 30_000 }),
    );
    const { attemptId } = await running([first, ...others] as PlanStep[]);
    await hub.db.query("update steps set timeout_ms = 60000 where position = 2");
    // The second prints; the third does not, but has been running for too long anyway.
    expect((await findOverdue(hub.db, bounds)).map(({ name, limit }) => [name, limit])).toEqual([
      ["step 0", "idle_timeout"],
      ["step 2", "timeout"],
    ]);
    expect((await hub.attempt(attemptId)).cancel).toBeNull();
  });

  test("is stopped once, and not when somebody else has stopped it", async () => {
    const { attemptId } = await running();
    const overdue = { attemptId, epoch: 1, name: "step one", limit: "timeout", limitMs: 60_000 } as const;
    expect(await cancelOverdue(hub.db, { ...overdue, epoch: 2 })).toBe(false);
    expect(await cancelOverdue(hub.db, overdue)).toBe(true);
    expect(await cancelOverdue(hub.db, { ...overdue, limit: "idle_timeout" })).toBe(false);
    expect((await hub.attempt(attemptId)).cancel).toMatchObject({ reason: "timeout", status: "failed" });
  });
});
