/** Row R15 of reliability.md, small: what a killed runner left is removed at its next start, and nothing else is. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { leftovers, runnerId } from "../../support/instance-run.ts";
import { startUnrelatedContainers, type UnrelatedContainers } from "../../support/unrelated-containers.ts";
import { silence } from "../../support/silence.ts";

let bed: FaultBed;
let foreigners: UnrelatedContainers;
beforeAll(async () => {
  bed = await openFaultBed({
    runnerCapacity: 1,
    env: { FORGELINE_HEARTBEAT_MS: "500" },
  });
  foreigners = await startUnrelatedContainers(bed.docker, `rnr_${randomBytes(8).toString("hex")}`);
});
afterAll(async () => {
  await foreigners?.remove();
  await bed?.closeEmpty();
});

it(
  "a runner removes its own dead, and leaves the living and the strangers alone",
  { timeout: 150_000 },
  async () => {
    const dying = bed.runner();
    const lost = await bed.begin({ count: 100_000, perPause: 50 });
    const other = await bed.instance.addRunner("other", { capacity: 1 });
    const living = await bed.begin({ count: 6000, perPause: 50 });
    await dying.program.kill();
    await silence(bed.instance, lost.id, "1 hour");
    const first = await eventually(
      async () => {
        const [attempt] = (await bed.repository.get(lost)).stages[0]?.jobs[0]?.attempts ?? [];
        return attempt?.status === "error" && attempt;
      },
      { timeoutMs: 40_000 },
    );
    expect(first).toMatchObject({ reason: "runner_lost", runner: { name: dying.name } });
    const id = await runnerId(dying);
    expect((await leftovers(bed.docker, id)).length).toBeGreaterThan(0);
    dying.program.start();
    await eventually(async () => !(await leftovers(bed.docker, id)).some((name) => name.includes(first.id)), {
      timeoutMs: 60_000,
    });
    expect(await foreigners.untouched()).toBe(true);
    expect(await leftovers(bed.docker, await runnerId(other))).not.toEqual([]);
    await bed.instance.api(
      "POST",
      `/repos/${bed.instance.adminName}/lines/pipelines/${lost.number}/cancel`,
      {},
    );
    expect((await bed.judge(living)).problems).toEqual([]);
    await eventually(async () => (await bed.repository.get(lost)).status === "cancelled", {
      timeoutMs: 40_000,
    });
  },
);
