/** Schedules of upkeep: kept by workers, run by themselves and by hand, paused, and what administrators see of them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UpkeepSchedule } from "@forgeline/schemas/upkeep-schedules/resource.ts";
import { scheduleIdOf, scheduleNames } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { startWorker } from "../../../support/failing-work.ts";

const taskQueue = `test-schedules-${process.pid}`;
let server: ApiServer;
let root: TestPerson;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: taskQueue } });
  root = await server.person("root", { isAdmin: true });
  stopWorker = await startWorker(server);
  const { upkeepSchedules, maintenanceSchedule } = server.container.upkeep;
  await maintenanceSchedule.keep();
  await upkeepSchedules.keep();
});
afterAll(async () => {
  const { client } = server.container.platform.temporal;
  for (const name of scheduleNames) await client.schedule.getHandle(scheduleIdOf(name, taskQueue)).delete();
  await stopWorker?.();
  await server?.stop();
});

const send = (method: string, path: string, body?: object) =>
  server.api(method, `/admin/schedules${path}`, { token: root.token, ...(body ? { body } : {}) });
const get = async (name: string) => (await send("GET", `/${name}`)).json as UpkeepSchedule;
const audited = async (action: string) =>
  (await server.api("GET", `/admin/audit-log?action=${action}`, { token: root.token })).json as {
    target: { name: string };
  }[];

test("all are listed, with their interval and the next run", async () => {
  const { status, json } = await send("GET", "");
  expect(status).toBe(200);
  const schedules = json["schedules"] as UpkeepSchedule[];
  expect(schedules.map(({ name }) => name)).toEqual([...scheduleNames]);
  for (const { next_run_at: next, every_seconds: every, paused } of schedules) {
    expect(paused).toBe(false);
    expect(every).toBeGreaterThan(0);
    const inMs = Date.parse(next ?? "") - Date.now();
    expect(inMs).toBeLessThanOrEqual(every * 1000);
  }
  expect(await get("remove_old_events")).toMatchObject({ every_seconds: 3600, note: null });
});

test("a run by hand does the work, and is shown with its background work", async () => {
  const { db } = server.container.platform;
  await server.api("POST", "/repos", { token: root.token, body: { name: "old" } });
  await server.api("DELETE", "/repos/root/old", { token: root.token });
  await db.query("update repositories set deleted_at = now() - interval '8 days'");
  expect((await send("POST", "/remove_deleted_repositories/run")).status).toBe(202);
  await eventually(async () => (await db.query("select id from repositories")).length === 0, {
    timeoutMs: 20_000,
  });
  const shown = await eventually(
    async () => {
      const now = await get("remove_deleted_repositories");
      return now.last_run?.state === "completed" && !now.running && now;
    },
    { timeoutMs: 20_000 },
  );
  const work = await server.api("GET", (shown.last_run?.work_url ?? "").replace(server.baseUrl, ""), {
    token: root.token,
  });
  expect(work.json).toMatchObject({ kind: "upkeep_task", state: "completed" });
  expect((await audited("admin.schedule_run"))[0]).toMatchObject({
    target: { name: "remove_deleted_repositories" },
  });
});

test("a paused one has no next run, stays paused when a worker starts, and can be run by hand", async () => {
  const paused = await send("PATCH", "/find_lost_directories", { paused: true });
  expect(paused.json).toMatchObject({ paused: true, next_run_at: null });
  expect(paused.json["note"]).toMatch(/^paused by root at 20/);
  await server.container.upkeep.upkeepSchedules.keep();
  expect(await get("find_lost_directories")).toMatchObject({ paused: true });
  await send("POST", "/find_lost_directories/run");
  await eventually(async () => (await get("find_lost_directories")).last_run?.state === "completed", {
    timeoutMs: 20_000,
  });
  const resumed = await send("PATCH", "/find_lost_directories", { paused: false });
  expect(resumed.json).toMatchObject({ paused: false });
  expect(resumed.json["next_run_at"]).not.toBeNull();
  for (const action of ["admin.schedule_pause", "admin.schedule_resume"])
    expect((await audited(action)).map(({ target }) => target.name)).toEqual(["find_lost_directories"]);
});

test(
  "one that fails is shown as failed, and the audit log names who began it",
  { timeout: 90_000 },
  async () => {
    const { upkeepSchedules } = server.container.upkeep;
    const real = upkeepSchedules.runTask;
    upkeepSchedules.runTask = () => Promise.reject(Object.assign(new Error("no space"), { code: "22P02" }));
    try {
      await send("POST", "/remove_unused_keys/run");
      const failed = await eventually(
        async () => {
          const now = await get("remove_unused_keys");
          return now.last_run?.state === "failed" && now;
        },
        { timeoutMs: 60_000 },
      );
      const path = (failed.last_run?.work_url ?? "").replace(server.baseUrl, "");
      const { json } = await server.api("GET", path, { token: root.token });
      expect(JSON.stringify(json["failure"])).toContain("no space");
      upkeepSchedules.runTask = real;
      expect((await server.api("POST", `${path}/retry`, { token: root.token })).status).toBe(202);
      await eventually(async () => (await get("remove_unused_keys")).last_run?.state === "completed", {
        timeoutMs: 30_000,
      });
    } finally {
      upkeepSchedules.runTask = real;
    }
  },
);

test("what is no schedule is not found, and one that is switched off is not listed", async () => {
  expect((await send("POST", "/nothing/run")).status).toBe(404);
  const other = await startApiServer({
    env: { FORGELINE_TASK_QUEUE: `${taskQueue}-none` },
  });
  try {
    const { token } = await other.person("ada", { isAdmin: true });
    expect((await other.api("GET", "/admin/schedules", { token })).json).toEqual({ schedules: [] });
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["POST", "/run", undefined],
      ["PATCH", "", { paused: true }],
    ] as const) {
      const answer = await other.api(method, `/admin/schedules/remove_old_events${path}`, { token, body });
      expect(answer.status).toBe(404);
    }
    expect((await other.api("GET", "/admin/audit-log?action=admin.schedule_run", { token })).json).toEqual(
      [],
    );
  } finally {
    await other.stop();
  }
});
