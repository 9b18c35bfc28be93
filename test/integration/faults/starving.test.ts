/** Row R24 of reliability.md, small: a job that takes all processors and prints all it can does not cost its agent the lease. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { pushFile, runnerId } from "../../support/instance-run.ts";

let bed: FaultBed;
beforeAll(async () => {
  const env = {
    FORGELINE_HEARTBEAT_MS: "500",
    FORGELINE_UNREACHABLE_MS: "5000",
    FORGELINE_RECLAIM_MS: "10000",
    FORGELINE_STEP_LOG_BYTES: "1048576",
  };
  bed = await openFaultBed({ env });
});
afterAll(() => bed?.closeEmpty());

const flood = JSON.stringify({
  on: ["push"],
  defaults: { image: "forgeline/base:1", clone: false },
  jobs: {
    flood: {
      steps: [
        {
          run: "for i in 1 2 3 4 5 6; do yes >/dev/null & done; timeout 4 yes || true; kill $(jobs -p); echo over",
        },
      ],
    },
  },
});

it(
  "leases stay, beside it another job prints every line, and its container yields to the agent",
  { timeout: 150_000 },
  async () => {
    const run = await pushFile(bed.instance, "flood", flood);
    const lines = await bed.begin({ count: 1000, perPause: 50 });
    const filters = { label: ["forgeline.kind=job", `forgeline.runner=${await runnerId(bed.runner())}`] };
    const containers = await bed.docker.listContainers({ filters });
    const shares = await Promise.all(
      containers.map(async ({ Id }) => (await bed.docker.getContainer(Id).inspect()).HostConfig.CpuShares),
    );
    expect(new Set(shares)).toEqual(new Set([102]));
    expect((await bed.judge(lines)).problems).toEqual([]);
    const ended = await eventually(
      async () => {
        const found = await run();
        return found.finished_at !== null && found;
      },
      { timeoutMs: 40_000 },
    );
    const [attempt, ...more] = ended.stages[0]?.jobs[0]?.attempts ?? [];
    expect(ended).toMatchObject({ status: "success" });
    expect(attempt).toMatchObject({ status: "success", unreachable: false });
    expect(more).toEqual([]);
  },
);
