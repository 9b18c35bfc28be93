/** The schedule of rounds in the real Temporal. */
import { afterAll, expect, it } from "vitest";
import { createMaintenanceSchedule } from "@forgeline/server/domains/upkeep/maintenance/schedule.ts";
import { createTemporal } from "@forgeline/server/platform/temporal.ts";
import { readBed } from "../../../support/bed.ts";
import { eventually } from "../../../support/eventually.ts";

const temporal = createTemporal({ address: (await readBed()).temporalAddress });
afterAll(() => temporal.close());

it("has another round begin when one that was asked during the last one ends", async () => {
  // Nobody works on this queue, so its round stays where it is.
  const taskQueue = `test-maintenance-idle-${process.pid}`;
  const schedule = createMaintenanceSchedule(temporal, { taskQueue, everyMinutes: 10_080 });
  const handle = temporal.client.schedule.getHandle(`maintenance:${taskQueue}`);
  const running = async () =>
    (await handle.describe()).info.runningActions.map(({ workflow }) => workflow.workflowId)[0];
  const end = (workflowId: string) => temporal.client.workflow.getHandle(workflowId).terminate();
  await schedule.keep();
  try {
    await schedule.beginRound();
    const first = await eventually(running);
    // Temporal names rounds by the second.
    const begun = Date.parse(first.slice(`maintenance:${taskQueue}-`.length));
    await eventually(() => Date.now() >= begun + 1000);
    await schedule.beginRound();
    await end(first);
    const another = async () => ((await running()) === first ? undefined : running());
    const second = await eventually(another);
    expect(second).toMatch(`maintenance:${taskQueue}-`);
    await end(second);
  } finally {
    await handle.delete();
  }
});
