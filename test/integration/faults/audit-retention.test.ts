/** Whoever removes expired entries of an audit log dies in the middle: nothing is half removed, and the next one goes on. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import type { UpkeepSchedule } from "@forgeline/schemas/upkeep-schedules/resource.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";
import { isFull } from "../../support/size.ts";

let instance: TestInstance;
let worker: Program;
let owner: pg.Client;
const old = 5_000;

beforeAll(async () => {
  instance = await startTestInstance({ runners: 0 });
  if (!instance.worker) throw new Error("no worker");
  worker = instance.worker;
  owner = new pg.Client({ connectionString: instance.database.ownerUrl });
  await owner.connect();
  const { id } = await instance.api<{ id: string }>("POST", "/orgs", { name: "short" });
  await owner.query("update organizations set plan = 'free' where id = $1", [id]);
  await owner.query("update organizations set plan_changed_at = null where id = $1", [id]);
  await owner.query(
    `insert into audit_log (id, at, organization_id, actor_username, action, target_type, target_id, target_name)
     select 'evt_' || lpad(n::text, 26, '0'), now() - interval '40 days', $1, 'ada', 'repo.create', 'organization', $1, 'short'
     from generate_series(1, $2::int) n`,
    [id, old],
  );
});
afterAll(async () => {
  await owner?.end();
  await instance?.stop();
});

const log = "/orgs/short/audit-log";
const task = "/admin/schedules/remove_expired_audit_entries";
const verify = () => instance.api<AuditVerification>("GET", `${log}/verify`);

test.runIf(isFull)("a worker that dies before it commits", { timeout: 120_000 }, async () => {
  await verify();
  await worker.kill();
  worker.start({ FORGELINE_CRASH_AT: "audit.expired-before-commit" });
  await eventually(
    async () => {
      await instance.api("POST", `${task}/run`);
      return true;
    },
    { timeoutMs: 60_000 },
  );
  await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
  expect(await verify()).toMatchObject({ valid: true, expired: 0, problem: null });
  worker.start();
  await eventually(
    async () => (await instance.api<UpkeepSchedule>("GET", task)).last_run?.state === "completed",
    { timeoutMs: 90_000 },
  );
  expect(await verify()).toMatchObject({ valid: true, expired: old, problem: null });
});
