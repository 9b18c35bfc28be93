/**
 * R21: server, worker and runner are replaced one after the other, in a seeded order, by those of this release, under runs that the
 * release before has begun. The schema is this release's from the beginning, as a migration comes first.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../../support/fault-bed.ts";
import { runnerIsOnline } from "../../../support/instance.ts";
import type { LinesRun } from "../../../support/lines-pipeline.ts";
import { judgedRound } from "../../judged-round.ts";
import type { Count, Round, Scenario } from "../../scenario.ts";
import { addCounts } from "../../tally.ts";
import { checkOutPrevious, type PreviousRelease } from "./previous-release.ts";

type Part = "server" | "worker" | "runner";
const parts: readonly Part[] = ["server", "worker", "runner"];
/** How long each mixture lasts. */
const phaseMs = 25_000;
const mostOpen = 4;
const readyMs = 90_000;

/** Ends the part as an operator does, and starts it from the checkout, or from this one. */
async function replace(bed: FaultBed, part: Part, checkout?: string): Promise<void> {
  const { instance } = bed;
  if (part === "server") {
    await instance.servers[0]?.program.end("SIGTERM");
    return bed.startServer({}, checkout);
  }
  if (part === "worker") {
    await instance.worker?.end("SIGTERM");
    instance.worker?.start({}, checkout);
    await eventually(async () => (await fetch(`${instance.workerMetricsUrl}/readyz`)).ok, {
      timeoutMs: readyMs,
    });
    return;
  }
  const { program, name } = bed.runner();
  await program.end("SIGTERM");
  program.start({}, checkout);
  await runnerIsOnline(instance.api, name);
}

function shuffled(random: () => number): Part[] {
  return parts
    .map((part) => ({ part, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ part }) => part);
}

/** Runs of two stages, a few at a time, until told to stop. A request that meets no server is tried again. */
function feed(bed: FaultBed): { openNow(): Promise<number>; stop(): Promise<LinesRun[]> } {
  const runs: LinesRun[] = [];
  let isOver = false;
  const openNow = async () => {
    const ends = await Promise.all(
      runs.slice(-2 * mostOpen).map(async (run) => (await bed.repository.get(run)).finished_at),
    );
    return ends.filter((end) => end === null).length;
  };
  const begin = async () => {
    while (!isOver) {
      const isRoom = await openNow().then(
        (open) => open < mostOpen,
        () => false,
      );
      if (isRoom)
        await bed.repository.begin({ file: "stages", count: 1500, perPause: 50 }).then(
          (run) => runs.push(run),
          () => undefined,
        );
      await sleep(500);
    }
  };
  const feeding = begin();
  return {
    openNow,
    async stop() {
      isOver = true;
      await feeding;
      return runs;
    },
  };
}

function sumOf(rounds: readonly Round[], what: string): Round {
  const sums = new Map<string, Count>();
  for (const { counts } of rounds) addCounts(sums, counts);
  const counts = Object.fromEntries(sums);
  const problems = rounds.flatMap((round) => round.problems);
  return {
    verdict: problems.length > 0 ? "bad" : "good",
    counts,
    fault: what,
    faults: parts.length,
    problems,
  };
}

async function upgrade(bed: FaultBed, previous: PreviousRelease, random: () => number): Promise<Round> {
  for (const part of parts) await replace(bed, part, previous.directory);
  const order = shuffled(random);
  const what = `${previous.commit}, then new ${order.join(", ")}`;
  const fed = feed(bed);
  const open: number[] = [];
  for (const part of order) {
    await sleep(phaseMs);
    open.push(await fed.openNow());
    await replace(bed, part);
  }
  await sleep(phaseMs);
  const runs = await fed.stop();
  if (open.includes(0))
    return {
      verdict: "void",
      counts: {},
      fault: what,
      problems: ["no run was under way at one of the changes"],
    };
  const rounds = [];
  for (const run of runs) rounds.push(judgedRound(await bed.judge(run), { what, missed: null }));
  return sumOf(rounds, what);
}

export const upgrades: Scenario = {
  row: "R21",
  name: "upgrade",
  promise:
    "Server, worker and runner of the release before are replaced one after the other, in any order, on the new schema and under runs: all runs succeed",
  async open() {
    const previous = await checkOutPrevious();
    const bed = await openFaultBed();
    return {
      round: (random) => upgrade(bed, previous, random),
      async close() {
        const left = await bed.close();
        await previous.remove();
        return left;
      },
    };
  },
};
