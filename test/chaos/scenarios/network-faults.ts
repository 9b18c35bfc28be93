/** R3: cuts after any number of bytes, silence, resets, refusals and slowness between a runner and its server. */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { judgedRound } from "../judged-round.ts";
import type { Scenario } from "../scenario.ts";

const count = 10_000;

interface NetworkFault {
  what: string;
  /** False when nothing was seen of it. */
  bites(bed: FaultBed): Promise<boolean>;
}

const faults: readonly ((random: () => number) => NetworkFault)[] = [
  (random) => {
    const bytes = 1 + Math.floor(random() * 400);
    return { what: `cut after ${bytes} bytes`, bites: (bed) => limited(bed, bytes) };
  },
  (random) => {
    const bytes = 2000 + Math.floor(random() * 60_000);
    return { what: `cut after ${bytes} bytes`, bites: (bed) => limited(bed, bytes) };
  },
  (random) => {
    const times = 1 + Math.floor(random() * 10);
    return { what: `${times} resets`, bites: (bed) => resets(bed, times) };
  },
  (random) => {
    const ms = 1000 + Math.floor(random() * 7000);
    const only = random() < 0.3 ? ("down" as const) : undefined;
    const mode = only ? { name: "hang" as const, only } : { name: "hang" as const };
    return { what: `${only ?? "both ways"} silent for ${ms} ms`, bites: (bed) => silent(bed, mode, ms) };
  },
  (random) => {
    const ms = 500 + Math.floor(random() * 4000);
    return { what: `refused for ${ms} ms`, bites: (bed) => refused(bed, ms) };
  },
  (random) => {
    const bytesPerSecond = 2000 + Math.floor(random() * 8000);
    return { what: `${bytesPerSecond} bytes a second for 3 s`, bites: (bed) => slow(bed, bytesPerSecond) };
  },
];

async function limited({ proxy }: FaultBed, bytes: number): Promise<boolean> {
  proxy.cut();
  const { cut } = proxy.counts();
  proxy.set({ name: "limit", bytes });
  await eventually(() => proxy.counts().cut > cut + 1, { timeoutMs: 60_000 });
  return true;
}

async function resets({ proxy }: FaultBed, times: number): Promise<boolean> {
  let cut = 0;
  for (let time = 0; time < times; time++) {
    await eventually(() => proxy.counts().open > 0);
    cut += proxy.cut();
  }
  return cut > 0;
}

async function silent(
  { proxy }: FaultBed,
  mode: { name: "hang"; only?: "down" },
  ms: number,
): Promise<boolean> {
  const { bytesDown } = proxy.counts();
  proxy.set(mode);
  await sleep(ms);
  return proxy.counts().bytesDown === bytesDown;
}

async function refused({ proxy }: FaultBed, ms: number): Promise<boolean> {
  const { accepted } = proxy.counts();
  proxy.set({ name: "down" });
  await sleep(ms);
  return proxy.counts().accepted > accepted;
}

async function slow({ proxy }: FaultBed, bytesPerSecond: number): Promise<boolean> {
  const { bytesUp } = proxy.counts();
  proxy.set({ name: "rate", bytesPerSecond });
  await sleep(3000);
  return proxy.counts().bytesUp > bytesUp;
}

export const networkFaults: Scenario = {
  row: "R3",
  name: "network-faults",
  promise: "The network between runner and server is cut, silent, refused or slow: logs are whole",
  async open() {
    const bed = await openFaultBed({ env: { FORGELINE_HEARTBEAT_MS: "1000" } });
    return {
      async round(random) {
        const run = await bed.begin({ count, perPause: 50 });
        const done: string[] = [];
        let missed: string | null = null;
        for (let fault = 0; fault < 3; fault++) {
          if ((await bed.linesSeen(run)) >= count) break;
          const { what, bites } = faults[Math.floor(random() * faults.length)]!(random);
          if (!(await bites(bed))) missed = `${what}: nothing was seen of it`;
          bed.proxy.set({ name: "pass" });
          done.push(what);
          await sleep(random() * 500);
        }
        return judgedRound(await bed.judge(run), {
          what: done.join("; "),
          missed: done.length === 0 ? "the step had ended before the first fault" : missed,
          times: done.length,
        });
      },
      close: () => bed.close(),
    };
  },
};
