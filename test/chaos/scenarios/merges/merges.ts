/**
 * R9: merge requests of which two things happen at once, spread over two servers of which one is killed in some rounds. Each has one
 * outcome: the same in Git, the database, events, timelines and answers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../../support/eventually.ts";
import { serverIsReady } from "../../../support/instance.ts";
import { judge, judgeNumbers, unrest } from "../../../support/merge-races/judge.ts";
import { kinds, run, type Done, type Race } from "../../../support/merge-races/kinds.ts";
import { prepare } from "../../../support/merge-races/prepare.ts";
import { makePlace, type RacePlace } from "../../../support/merge-races/world.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import type { Round, Scenario } from "../../scenario.ts";
import { openMergesWorld, type MergesWorld } from "./world.ts";

const places = 4;
const restMs = 120_000;
/** Between those who race, so that now one is first and now the other, also on a busy machine. */
const pauseMs = 3_000;
/** Of the rounds, so many have a server killed. */
const killShare = 0.5;

interface Bed {
  world: MergesWorld;
  places: RacePlace[];
  rounds: number;
}

interface Played {
  race: Race;
  done: Done[];
}

/** A server dies at a moment of its own, and is back soon. Since when it was away; undefined: none was killed. */
async function killOne({ world }: Bed, random: () => number): Promise<Date | undefined> {
  if (random() >= killShare) return undefined;
  const { servers, certificates } = world.instance;
  const server = servers[random() < 0.5 ? 0 : 1]!;
  await sleep(random() * 1_500);
  await server.program.kill();
  const since = new Date();
  server.program.start();
  await serverIsReady(server, certificates);
  return since;
}

async function play(
  bed: Bed,
  random: () => number,
): Promise<{ played: Played[][]; killed: Date | undefined }> {
  const { world, rounds } = bed;
  const races = await Promise.all(
    bed.places.map((place, at) => {
      const wanted = kinds.map((kind, n) => ({ kind, id: `${rounds}-${at}-${n}` }));
      return prepare({ world, place, random, makeBranches: world.makeBranches }, wanted);
    }),
  );
  const [killed, ...played] = await Promise.all([
    killOne(bed, random),
    ...races.map((some) =>
      Promise.all(some.map(async (race) => ({ race, done: await run(world, race, pauseMs) }))),
    ),
  ]);
  return { played, killed };
}

/** Null: all has come to rest. */
async function untilRest({ world, places: all }: Bed, killed: Date | undefined): Promise<string | null> {
  let left: string | null = "nothing was asked";
  const rested = async () => {
    if (killed) await world.passTime(killed);
    left = await unrest(world, all);
    return left === null;
  };
  await eventually(rested, { timeoutMs: restMs }).catch(() => undefined);
  return left;
}

async function round(bed: Bed, random: () => number): Promise<Round> {
  bed.rounds += 1;
  const { played, killed } = await play(bed, random);
  const left = await untilRest(bed, killed);
  const problems: string[] = left === null ? [] : [`does not come to rest: ${left}`];
  const outcomes: Record<string, number> = {};
  let bad = 0;
  for (const [at, place] of bed.places.entries()) {
    problems.push(...(await judgeNumbers(bed.world, place)));
    for (const judged of await judge(bed.world, place, played[at] ?? [])) {
      const name = `${judged.race.kind.name}: ${judged.outcome}`;
      outcomes[name] = (outcomes[name] ?? 0) + 1;
      problems.push(...judged.problems);
      bad += judged.problems.length > 0 ? 1 : 0;
    }
  }
  const total = played.flat().length;
  const broken = played.flat().filter(({ done }) => done.some(({ status }) => status === 0)).length;
  const [row] = await bed.world.query<{ deadlocks: number }>(
    "select deadlocks::int from pg_stat_database where datname = current_database()",
  );
  const counts = {
    "races without one outcome": { bad, total },
    "rounds that did not come to rest": { bad: left === null ? 0 : 1, total: 1 },
    "repositories whose numbers repeat or have gaps": {
      bad: problems.filter((text) => text.includes("numbers repeat")).length,
      total: bed.places.length,
    },
  };
  const what = killed ? `kill -9 of a server, ${broken} races cut` : "no kill";
  const fault = `${total} races, ${what}: ${JSON.stringify(outcomes)}`;
  const measures = { "deadlocks of the database": row?.deadlocks ?? 0 };
  const verdict = problems.length > 0 ? "bad" : "good";
  return { verdict, counts, faults: killed ? 1 : 0, fault, problems, measures };
}

export const merges: Scenario = {
  row: "R9",
  name: "merges",
  promise:
    "Merges, pushes, approvals, rules, queue and branches of merge requests are changed at once, and a server is killed meanwhile: each has one outcome, and no number repeats",
  async open() {
    const world = await openMergesWorld(seededRandom(1));
    const names = Array.from({ length: places }, (_, at) => `race-${at}`);
    const bed: Bed = { world, rounds: 0, places: [] };
    for (const name of names) bed.places.push(await makePlace(world, name));
    return {
      round: (random) => round(bed, random),
      async close() {
        await world.close();
        return [];
      },
    };
  },
};
