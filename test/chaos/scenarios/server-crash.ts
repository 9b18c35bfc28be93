/** R2: `kill -9` of the API server at random moments under jobs that print side by side and one after them. */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed } from "../../support/fault-bed.ts";
import { judgedRound, timed } from "../judged-round.ts";
import type { Scenario } from "../scenario.ts";

const count = 8000;

export const serverCrash: Scenario = {
  row: "R2",
  name: "server-crash",
  promise: "The API server is killed while jobs print: they go on, and their logs are whole",
  async open() {
    const bed = await openFaultBed();
    const [server] = bed.instance.servers;
    if (!server) throw new Error("no server");
    return {
      async round(random) {
        const run = await bed.begin({ file: "stages", count, perPause: 50 });
        let kills = 0;
        let worst = 0;
        for (;;) {
          await sleep(random() * 3000);
          const before = await bed.linesSeen(run, "last");
          if (before >= count) break;
          const all = async () => {
            const seen = await Promise.all(["left", "right", "last"].map((job) => bed.linesSeen(run, job)));
            return seen.reduce((sum, lines) => sum + lines, 0);
          };
          const sum = await all();
          await server.program.kill();
          kills++;
          await sleep(random() * 1000);
          await bed.startServer();
          const live = () => eventually(async () => (await all()) > sum, { timeoutMs: 60_000 });
          worst = Math.max(worst, await timed(live));
        }
        return judgedRound(await bed.judge(run), {
          what: `${kills} kills of the server under 3 jobs of ${count} lines`,
          missed: kills === 0 ? "the jobs had ended before the first kill" : null,
          times: kills,
          measures: { "ms until lines come again, from the server being ready": worst },
        });
      },
      close: () => bed.close(),
    };
  },
};
