/** A schedule on a test instance, whose parts a test may kill, and what must be true of it afterwards. */
import pg from "pg";
import { expect } from "vitest";
import type { PipelineSummary } from "@forgeline/schemas/pipelines/resource.ts";
import type { Schedule, ScheduleRun } from "@forgeline/schemas/schedules/resource.ts";
import { eventually } from "./eventually.ts";
import type { TestInstance } from "./instance.ts";
import type { CutOffWork } from "./survive-outage.ts";

export interface InstanceSchedule {
  id: string;
  /** Of its repository: `/repos/ADMIN/NAME`. */
  at: string;
  /** Its time came just now; resolves when the database has that. */
  makeDue(): Promise<void>;
  history(): Promise<ScheduleRun[]>;
  /** Resolves when so many of its times were made something of. */
  came(count: number): Promise<ScheduleRun[]>;
  runs(): Promise<PipelineSummary[]>;
}

let made = 0;
/** No runner has this label, so runs wait. */
const file = "jobs: { a: { image: busybox, runner: [nobody=here], steps: ['true'] } }\non: [manual]\n";

export async function scheduleOnInstance(instance: TestInstance): Promise<InstanceSchedule> {
  const name = `scheduled-${made++}`;
  const at = `/repos/${instance.adminName}/${name}`;
  await instance.api("POST", "/repos", { name, readme: true });
  const content = Buffer.from(file).toString("base64");
  await instance.api("PUT", `${at}/contents/.forgeline.yml`, { message: "x", content, branch: "main" });
  const { id } = await instance.api<Schedule>("POST", `${at}/schedules`, { name, cron: "0 3 29 2 *" });
  const history = () => instance.api<ScheduleRun[]>("GET", `${at}/schedules/${id}/runs`);
  return {
    id,
    at,
    async makeDue() {
      await eventually(
        () =>
          setDue(instance.database.url, id).then(
            () => true,
            () => false,
          ),
        {
          timeoutMs: 60_000,
        },
      );
    },
    history,
    came: (count) =>
      eventually(
        async () => {
          const all = await history();
          return all.length >= count && all;
        },
        { timeoutMs: 120_000, intervalMs: 200 },
      ),
    runs: () => instance.api<PipelineSummary[]>("GET", `${at}/pipelines`),
  };
}

async function setDue(connectionString: string, id: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(
      "update pipeline_schedules set next_at = date_trunc('milliseconds', now()) where id = $1",
      [id],
    );
    await client.query("notify schedule");
  } finally {
    await client.end();
  }
}

/** While times come; afterwards each has one run, and the runs are at Temporal. */
export async function cutOffSchedules(instance: TestInstance): Promise<CutOffWork> {
  const schedules = await Promise.all([1, 2, 3].map(() => scheduleOnInstance(instance)));
  return {
    begin: async () => void (await Promise.all(schedules.map((schedule) => schedule.makeDue()))),
    expectWhole: async () => void (await Promise.all(schedules.map(expectOneRun))),
  };
}

async function expectOneRun(schedule: InstanceSchedule): Promise<void> {
  const came = await schedule.came(1);
  expect(came.map(({ status }) => status)).toEqual(["started"]);
  const runs = await eventually(
    async () => {
      const all = await schedule.runs();
      return all.every(({ status }) => status === "queued") && all;
    },
    { timeoutMs: 60_000 },
  );
  expect(runs.map(({ id }) => id)).toEqual([came[0]?.pipeline?.id]);
}
