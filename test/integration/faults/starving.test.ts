/**
 * Row R24 of reliability.md: a job that takes all processors and prints all it can does not cost its agent the lease. At full size for
 * ten minutes, with the age of its heartbeats.
 */
import { availableParallelism } from "node:os";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { counted } from "../../support/counted.ts";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { watchHeartbeats } from "../../support/heartbeat-age.ts";
import { pushFile, runnerId } from "../../support/instance-run.ts";
import { size } from "../../support/size.ts";

const seconds = size(2, 600);
const cores = availableParallelism();
const maxAgeMs = 5_000;
/** In a second. The row speaks of 200 MB, which few cores print that `yes` has as well. */
const minBytesPerSecond = 10e6;

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
          run: `i=0; while [ $i -lt ${cores} ]; do yes >/dev/null & yes & i=$((i+1)); done; sleep ${seconds}; kill $(jobs -p); echo over`,
        },
      ],
    },
  },
});

/** What the step printed, left out or not. */
async function bytesOf(attemptId: string): Promise<number> {
  const database = new pg.Client({ connectionString: bed.instance.database.url });
  await database.connect();
  try {
    const { rows } = await database.query<{ bytes: string }>(
      "select total_bytes + dropped_bytes as bytes from log_streams where attempt_id = $1 and kind = 'step'",
      [attemptId],
    );
    return Number(rows[0]?.bytes ?? 0);
  } finally {
    await database.end();
  }
}

it(
  "leases stay, beside it another job prints every line, and its container yields to the agent",
  { timeout: 150_000 + seconds * 9_000 },
  async (context) => {
    const beats = await watchHeartbeats(bed.instance.database.url, await runnerId(bed.runner()));
    const run = await pushFile(bed.instance, "flood", flood);
    const lines = await bed.begin({ count: 1000, perPause: 50 });
    const filters = { label: ["forgeline.kind=job", `forgeline.runner=${await runnerId(bed.runner())}`] };
    const containers = await bed.docker.listContainers({ filters });
    const shares = await Promise.all(
      containers.map(async ({ Id }) => (await bed.docker.getContainer(Id).inspect()).HostConfig.CpuShares),
    );
    expect(new Set(shares)).toEqual(new Set([102]));
    const ended = await eventually(
      async () => {
        const found = await run();
        return found.finished_at !== null && found;
      },
      // What was printed is read to its end, by an agent that had little of the machine.
      { timeoutMs: 40_000 + seconds * 8_000 },
    );
    const { looks, p99Ms, maxMs } = await beats.stop();
    // Only now, since it finds everything of the runner that is left in Docker.
    expect((await bed.judge(lines)).problems).toEqual([]);
    const [attempt, ...more] = ended.stages[0]?.jobs[0]?.attempts ?? [];
    expect(ended).toMatchObject({ status: "success" });
    expect(attempt).toMatchObject({ status: "success", unreachable: false });
    expect(more).toEqual([]);
    const bytes = await bytesOf(attempt?.id ?? "");
    counted(context, {
      "seconds of flood": seconds,
      "MB a second": (bytes / seconds / 1e6).toFixed(0),
      "leases lost": more.length,
      "looks at the heartbeat": looks,
      "its age, p99 ms": p99Ms,
      "most ms": maxMs,
    });
    expect(bytes / seconds).toBeGreaterThan(size(0, minBytesPerSecond));
    expect(p99Ms).toBeLessThanOrEqual(size(Infinity, maxAgeMs));
  },
);
