/** What is broken in a round: seeded parts at seeded moments, each of which is whole again after a while. */
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../../support/eventually.ts";
import { reclaimMs } from "./settings.ts";
import type { ChaosRunner, World } from "./world.ts";

export interface PlannedFault {
  /** What it breaks: no part is broken twice in a round. */
  part: string;
  atMs: number;
  /** With its sizes. */
  what: string;
  /** The runner that may lose its leases by it. */
  mayLose: string | null;
  strike(world: World): Promise<void>;
}

type Random = () => number;
const between = (random: Random, from: number, to: number) => Math.round(from + random() * (to - from));
const restMs = 90_000;

const server = (random: Random) => {
  const awayMs = between(random, 0, 3000);
  return {
    part: "server",
    what: `server killed, away for ${awayMs} ms`,
    mayLose: null,
    async strike({ instance, startServer }: World) {
      await instance.servers[0]?.program.kill();
      await sleep(awayMs);
      await startServer();
    },
  };
};

const worker = (random: Random) => {
  const awayMs = between(random, 0, 4000);
  return {
    part: "worker",
    what: `worker killed, away for ${awayMs} ms`,
    mayLose: null,
    async strike({ instance }: World) {
      await instance.worker?.kill();
      await sleep(awayMs);
      instance.worker?.start();
      await eventually(async () => (await fetch(`${instance.workerMetricsUrl}/readyz`)).ok, {
        timeoutMs: restMs,
      });
    },
  };
};

const ofBed = (part: "postgresql" | "temporal") => () => ({
  part,
  what: `${part} killed`,
  mayLose: null,
  strike: ({ own }: World) => own.kill(part),
});

/** All processes below one, whatever they are. */
function below(pid: number): number[] {
  const table = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = (of: number): number[] =>
    table.filter(([, parent]) => parent === of).flatMap(([child = 0]) => [child, ...children(child)]);
  return children(pid);
}

async function killTree({ program }: ChaosRunner["runner"]): Promise<void> {
  const children = below(program.pid());
  await program.kill();
  for (const child of children) {
    try {
      process.kill(child, "SIGKILL");
    } catch {
      // It ended with its parent.
    }
  }
}

/** The time in which no server is up does not count. */
const longer = (random: Random) => reclaimMs + between(random, 10_000, 20_000);

/** One of the runners, by its number; `isLong`: for longer than its leases last. */
function onRunner(
  kind: "killed" | "killed with its children" | "frozen" | "cut off" | "reset",
  isLong: boolean,
) {
  return (random: Random) => {
    const number = Math.floor(random() * 3);
    const name = `runner-${number}`;
    const awayMs = isLong ? longer(random) : between(random, 0, 3000);
    return {
      part: name,
      what: `${name} ${kind} for ${awayMs} ms`,
      mayLose: isLong ? name : null,
      async strike({ runners }: World) {
        const victim = runners[number];
        if (!victim) throw new Error(`no ${name}`);
        await breakRunner(victim, kind, awayMs);
      },
    };
  };
}

async function breakRunner({ runner, proxy }: ChaosRunner, kind: string, awayMs: number): Promise<void> {
  if (kind === "reset") proxy.cut();
  else if (kind === "cut off") proxy.set({ name: "hang" });
  else if (kind === "frozen") runner.program.signal("SIGSTOP");
  else if (kind === "killed") await runner.program.kill();
  else await killTree(runner);
  await sleep(awayMs);
  if (kind === "frozen") runner.program.signal("SIGCONT");
  else if (kind.startsWith("killed")) runner.program.start();
  else {
    proxy.set({ name: "pass" });
    proxy.cut();
  }
}

const kinds = [
  server,
  server,
  worker,
  worker,
  ofBed("postgresql"),
  ofBed("temporal"),
  onRunner("killed", false),
  onRunner("killed with its children", false),
  onRunner("cut off", false),
  onRunner("reset", false),
  onRunner("killed with its children", true),
  onRunner("frozen", true),
  onRunner("cut off", true),
];

/** One to four, in the order of their moments within `withinMs`. At most one of them lasts longer than a lease. */
export function planFaults(random: Random, withinMs: number): PlannedFault[] {
  const count = 1 + Math.floor(random() * 4);
  const faults: PlannedFault[] = [];
  for (let tries = 0; faults.length < count && tries < 50; tries++) {
    const kind = kinds[Math.floor(random() * kinds.length)];
    if (!kind) continue;
    const fault = { ...kind(random), atMs: between(random, 500, withinMs) };
    if (faults.some(({ part }) => part === fault.part)) continue;
    if (fault.mayLose !== null && faults.some(({ mayLose }) => mayLose !== null)) continue;
    faults.push(fault);
  }
  return faults.sort((a, b) => a.atMs - b.atMs);
}
