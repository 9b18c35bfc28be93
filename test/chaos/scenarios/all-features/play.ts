/** One round: starts the runs, gives approvals, breaks parts meanwhile, and waits for all ends. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ApprovalGate } from "@forgeline/schemas/approvals/resource.ts";
import type {
  Pipeline,
  PipelineEventRecord,
  PipelineSummary,
} from "@forgeline/schemas/pipelines/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { planFaults, type PlannedFault } from "./faults.ts";
import { runsOf } from "./settings.ts";
import type { World } from "./world.ts";

export interface PlayedRound {
  faults: readonly PlannedFault[];
  /** Those that struck while the run went on. */
  struck: readonly PlannedFault[];
  secrets: readonly string[];
  /** What was decided at the gate of each job. */
  decided: ReadonlyMap<string, "approve" | "reject">;
  main: Pipeline;
  rival: Pipeline;
  mainEvents: PipelineEventRecord[];
  rivalEvents: PipelineEventRecord[];
  ranMs: number;
}

const runTimeoutMs = 420_000;

export interface RoundOptions {
  /** None: the run shows what it does without them. */
  withFaults: boolean;
  /** Within this time all faults strike. */
  withinMs: number;
}

export async function playRound(
  world: World,
  random: () => number,
  options: RoundOptions,
): Promise<PlayedRound> {
  const faults = options.withFaults ? planFaults(random, options.withinMs) : [];
  const rivalAtMs = Math.round(random() * options.withinMs);
  const decided = new Map([
    ["gated", "approve"],
    ["asked", random() < 0.3 ? "reject" : "approve"],
  ] as const);
  const secrets = await world.setSecrets();
  const body = { pipeline: "all", variables: { effects: world.effects.url } };
  const started = await world.instance.api<Pipeline>("POST", runsOf(), body);
  const began = performance.now();
  const struck: PlannedFault[] = [];
  let isOver = false;
  const strikes = faults.map(async (fault) => {
    await sleep(fault.atMs);
    if (isOver) return;
    struck.push(fault);
    await fault.strike(world);
  });
  const rivalStarted = sleep(rivalAtMs).then(() => startRival(world, started.number));
  const approving = approve(world, started.number, decided, () => isOver);
  try {
    await ended(world, started.number);
    const ranMs = Math.round(performance.now() - began);
    const rivalNumber = await rivalStarted;
    await ended(world, rivalNumber);
    isOver = true;
    await Promise.all(strikes);
    const [main, rival] = await Promise.all([world.get(started), world.get({ number: rivalNumber })]);
    const [mainEvents, rivalEvents] = [await world.events(main), await world.events(rival)];
    return { faults, struck, secrets, decided, main, rival, mainEvents, rivalEvents, ranMs };
  } finally {
    isOver = true;
    await Promise.all([approving, Promise.allSettled(strikes)]);
  }
}

/** Asks again until it is known that the run is there: an answer may be lost. */
async function startRival(world: World, after: number): Promise<number> {
  return eventually(
    async () => {
      const newer = async () => {
        const list = await world.read<PipelineSummary[]>(`${runsOf()}?per_page=20`);
        return list.find(({ number, pipeline }) => number > after && pipeline.includes("rival"))?.number;
      };
      const there = await newer();
      if (there !== undefined) return there;
      const body = { pipeline: "rival", variables: { effects: world.effects.url } };
      await world.instance.api("POST", runsOf(), body);
      return newer();
    },
    { timeoutMs: 120_000, intervalMs: 500 },
  );
}

/** Decides at each gate that is open, until the round is over. */
async function approve(
  world: World,
  number: number,
  decided: ReadonlyMap<string, "approve" | "reject">,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await sleep(400);
    const run = await world.instance.api<Pipeline>("GET", `${runsOf()}/${number}`).catch(() => null);
    for (const gate of run?.approvals.filter(({ state }) => state === "open") ?? [])
      await decide(world, number, gate, decided);
  }
}

async function decide(
  world: World,
  number: number,
  { job }: ApprovalGate,
  decided: ReadonlyMap<string, "approve" | "reject">,
): Promise<void> {
  const decision = job === null ? undefined : decided.get(job);
  // What was not taken is asked again in the next round of looking.
  if (decision)
    await world.instance
      .api("POST", `${runsOf()}/${number}/approvals`, { job, decision })
      .catch(() => undefined);
}

async function ended(world: World, number: number): Promise<void> {
  const deadline = performance.now() + runTimeoutMs;
  for (;;) {
    const run = await world.get({ number });
    if (run.finished_at !== null) return;
    if (performance.now() > deadline) throw new Error(`run ${number} does not end: ${describeOpen(run)}`);
    await sleep(1000);
  }
}

/** What of a run has not ended, and what it waits for. */
export function describeOpen(run: Pipeline): string {
  const open = run.stages
    .flatMap(({ jobs }) => jobs)
    .filter(({ finished_at, status }) => finished_at === null && status !== "skipped");
  return open
    .map(({ key, matrix, status, reason, message, attempts }) => {
      const last = attempts.at(-1);
      const where = last
        ? `, attempt ${last.attempt} ${last.status} on ${last.runner?.name ?? "no runner"}`
        : "";
      return `${key}${matrix ? `(${matrix["n"]})` : ""} ${status} ${reason ?? ""} ${message ?? ""}${where}`;
    })
    .join("; ");
}
