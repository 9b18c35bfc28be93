/** R1: `kill -9` of the runner at random lines of a 20,000-line step, started again after up to two seconds. */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed } from "../../support/fault-bed.ts";
import { judgedRound, timed } from "../judged-round.ts";
import type { Scenario } from "../scenario.ts";

const count = 20_000;

export const runnerCrash: Scenario = {
  row: "R1",
  name: "runner-crash",
  promise: "The runner is killed while a step prints: the step goes on, and its log is whole",
  async open() {
    const bed = await openFaultBed();
    return {
      async round(random) {
        const run = await bed.begin({ count, perPause: 80 });
        const { program } = bed.runner();
        let kills = 0;
        let worst = 0;
        for (;;) {
          await sleep(random() * 2500);
          const before = await bed.linesSeen(run);
          if (before >= count) break;
          await program.kill();
          kills++;
          await sleep(random() * 2000);
          program.start();
          const live = () =>
            eventually(async () => (await bed.linesSeen(run)) > before, { timeoutMs: 60_000 });
          worst = Math.max(worst, await timed(live));
        }
        return judgedRound(await bed.judge(run), {
          what: `${kills} kills of the runner under ${count} lines`,
          missed: kills === 0 ? "the step had ended before the first kill" : null,
          times: kills,
          measures: { "ms until lines come again, from the start of the runner": worst },
        });
      },
      close: () => bed.close(),
    };
  },
};
