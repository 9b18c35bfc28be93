/** R6: PostgreSQL, Temporal and the Docker daemon are killed at random moments of a run of two stages. */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { startOwnBed, startOwnDockerBed } from "../../support/own-bed.ts";
import { judgedRound, timed } from "../judged-round.ts";
import type { Scenario } from "../scenario.ts";

async function killedDuringRun(
  bed: FaultBed,
  what: string,
  random: () => number,
  kill: () => Promise<Record<string, number>>,
) {
  const run = await bed.begin({ file: "stages", count: 3000, perPause: 50 });
  await sleep(random() * 4000);
  const measures = await kill();
  return judgedRound(await bed.judge(run), { what, missed: null, measures });
}

function onOwnBed(part: "postgresql" | "temporal", promise: string): Scenario {
  return {
    row: "R6",
    name: `${part}-crash`,
    promise,
    async open() {
      const own = await startOwnBed();
      const bed = await openFaultBed({ servers: 2 });
      return {
        round: (random) =>
          killedDuringRun(bed, `kill -9 of ${part}`, random, async () => {
            await own.kill(part);
            const untilAnswer = await timed(() =>
              eventually(async () => (await bed.instance.api("GET", "/user")) !== undefined, {
                timeoutMs: 60_000,
              }),
            );
            return { "ms until REST answers": untilAnswer };
          }),
        async close() {
          const left = await bed.close();
          await own.stop();
          return left;
        },
      };
    },
  };
}

export const postgresqlCrash = onOwnBed(
  "postgresql",
  "PostgreSQL dies under a run: requests are refused for the moment, the run ends as if nothing had been",
);
export const temporalCrash = onOwnBed(
  "temporal",
  "Temporal dies under a run: requests go on, decisions wait, the run ends as if nothing had been",
);

export const dockerCrash: Scenario = {
  row: "R6",
  name: "docker-crash",
  promise:
    "The Docker daemon dies under a run (live-restore): steps print on, the run ends as if nothing had been",
  async open() {
    const own = await startOwnDockerBed();
    const bed = await openFaultBed({ env: { FORGELINE_RUNNER_DOCKER_HOST: own.host } });
    return {
      round: (random) => {
        const awayMs = Math.round(random() * 5000);
        const what = `kill -9 of dockerd, away for ${String(awayMs)} ms`;
        return killedDuringRun(bed, what, random, async () => {
          await own.kill();
          await sleep(awayMs);
          return { "ms of dockerd's start": await timed(own.start) };
        });
      },
      async close() {
        const left = await bed.close();
        await own.close();
        return left;
      },
    };
  },
};
