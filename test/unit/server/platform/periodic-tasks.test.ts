/** When periodic tasks run, and that there is one way to have one. */
import { glob, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createPeriodicTasks } from "@forgeline/server/platform/periodic-tasks.ts";
import { eventually } from "../../../support/eventually.ts";

const silent = pino({ level: "silent" });

test("a task runs at once where it says so, then again and again, never twice at a time, until closed", async () => {
  let [began, atOnce, most, late] = [0, 0, 0, 0];
  const tasks = createPeriodicTasks(
    [
      {
        name: "count",
        everyMs: 1,
        atStart: true,
        async run() {
          began += 1;
          atOnce += 1;
          most = Math.max(most, atOnce);
          await new Promise((resolve) => setTimeout(resolve, 5));
          atOnce -= 1;
        },
      },
      { name: "later", everyMs: 3_600_000, atStart: false, run: async () => void (late += 1) },
    ],
    silent,
  );
  expect(began).toBe(0);
  tasks.start();
  expect(began).toBe(1);
  await eventually(() => began >= 3);
  await tasks.close();
  expect({ atOnce, most, late }).toEqual({ atOnce: 0, most: 1, late: 0 });
});

test("one that fails is told to the log and tried again; the others go on", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  let [failed, others] = [0, 0];
  const tasks = createPeriodicTasks(
    [
      {
        name: "fail",
        everyMs: 1,
        atStart: true,
        run: () => Promise.reject(new Error(`no ${(failed += 1)}`)),
      },
      { name: "other", everyMs: 1, atStart: true, run: async () => void (others += 1) },
    ],
    logger,
  );
  tasks.start();
  await eventually(() => failed >= 2 && others >= 2);
  await tasks.close();
  expect(lines[0]).toContain('"task":"fail","error":"no 1"');
});

test("closing asks what is under way to end, and waits for it", async () => {
  let ended = false;
  const tasks = createPeriodicTasks(
    [
      {
        name: "long",
        everyMs: 3_600_000,
        atStart: true,
        async run(signal) {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          ended = true;
        },
      },
    ],
    silent,
  );
  tasks.start();
  await tasks.close();
  expect(ended).toBe(true);
});

/** These act at once when something happens, renew what they hold, or keep something of the process's own. */
const otherTimers = [
  "server/domains/automation/mirrors/sync-lifecycle.ts",
  "server/domains/hosting/lfs/uploads.ts",
  "server/domains/operation/limits/service.ts",
  "server/domains/operation/mails/mailer.ts",
  "server/domains/pipelines/leases/dispatcher.ts",
  "server/domains/pipelines/leases/sweeper.ts",
  "server/domains/pipelines/logs/mover.ts",
  "server/domains/pipelines/reports/reader.ts",
  "server/domains/upkeep/maintenance/block-pushes.ts",
];

test("whoever has a task of its own adds it to the list, and starts no timer", async () => {
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  const found: string[] = [];
  for await (const file of glob("server/domains/**/*.ts", { cwd: root }))
    if ((await readFile(`${root}${file}`, "utf8")).includes("setInterval(")) found.push(file);
  expect(found.toSorted()).toEqual(otherTimers);
});
