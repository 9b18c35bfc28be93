/**
 * Chaos over everything: random parts are killed under sixty jobs that use every feature of pipelines at once, with a second run
 * that wants the same slots. Judged by statuses, histories, lines, artifacts, caches, slots, secrets, and what is left.
 */
import type { Count, Round, Scenario } from "../../scenario.ts";
import { judgeArtifacts, judgeCaches, judgeLogs } from "./judge-files.ts";
import { jobsOf, judgeRunOf, type Evidence } from "./judge-jobs.ts";
import { judgeLeft, judgeSecrets } from "./judge-leaks.ts";
import { judgeOnce, judgeSlots } from "./judge-slots.ts";
import { plannedJobs, rivalJobs } from "./planned-jobs.ts";
import { playRound, type PlayedRound } from "./play.ts";
import { openWorld, type World } from "./world.ts";

/** The time in which faults strike; most of what a run takes. */
const withinMs = 50_000;

export async function judgeRound(world: World, round: PlayedRound): Promise<Evidence> {
  const evidence: Evidence = { looked: new Map(), findings: [] };
  const { main, rival, mainEvents, rivalEvents, secrets } = round;
  judgeRunOf(evidence, round, { run: main, events: mainEvents, planned: plannedJobs });
  judgeRunOf(evidence, round, { run: rival, events: rivalEvents, planned: rivalJobs });
  await judgeLogs(evidence, world, main, plannedJobs);
  await judgeLogs(evidence, world, rival, rivalJobs);
  await judgeArtifacts(evidence, world, main);
  await judgeCaches(evidence, world, main);
  await judgeSlots(evidence, world, round);
  await judgeOnce(evidence, world, round);
  await judgeLeft(evidence, world);
  await judgeSecrets(evidence, world, { run: main, secrets });
  return evidence;
}

function countsOf({ looked, findings }: Evidence): Record<string, Count> {
  const counts = [...looked].map(([property, total]) => {
    const bad = findings.filter((one) => one.property === property).length;
    return [property, { bad, total: Math.max(total, bad) }] as const;
  });
  return Object.fromEntries(counts);
}

function toRound({ faults, struck, ranMs, main }: PlayedRound, evidence: Evidence): Round {
  const fault = faults.map(({ what, atMs }) => `after ${atMs} ms ${what}`).join("; ");
  const problems = evidence.findings.map(({ property, problem }) => `${property}: ${problem}`);
  if (problems.length === 0 && struck.length === 0)
    return { verdict: "void", counts: {}, fault, problems: ["the run had ended before the first fault"] };
  const lost = jobsOf(main)
    .flatMap(({ attempts }) => attempts)
    .filter(({ reason }) => reason === "runner_lost").length;
  const measures = { "s of the run": Math.round(ranMs / 1000), "attempts lost with their runner": lost };
  return {
    verdict: problems.length > 0 ? "bad" : "good",
    counts: countsOf(evidence),
    measures,
    faults: struck.length,
    fault,
    problems,
  };
}

export const allFeatures: Scenario = {
  row: "R6",
  name: "all-features",
  promise:
    "Random parts are killed under sixty jobs that use everything at once: statuses, lines, artifacts, caches, slots, deployments and started runs are right, no secret is in clear, nothing is left",
  async open() {
    const world = await openWorld();
    return {
      async round(random) {
        const round = await playRound(world, random, { withFaults: true, withinMs });
        return toRound(round, await judgeRound(world, round));
      },
      close: () => world.close(),
    };
  },
};
