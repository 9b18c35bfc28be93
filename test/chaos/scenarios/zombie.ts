/** R5: a runner is frozen past its lease and thaws: its results are refused, its containers go, the new attempt counts. */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed } from "../../support/fault-bed.ts";
import { judgedRound } from "../judged-round.ts";
import type { Scenario } from "../scenario.ts";

export const zombie: Scenario = {
  row: "R5",
  name: "zombie",
  promise: "A runner comes back after its lease ran out: nothing of the old attempt is taken or left",
  async open() {
    const bed = await openFaultBed({
      runners: 2,
      env: { FORGELINE_HEARTBEAT_MS: "500", FORGELINE_UNREACHABLE_MS: "1500", FORGELINE_RECLAIM_MS: "5000" },
    });
    return {
      async round(random) {
        const run = await bed.begin({ count: 2000, perPause: 20 });
        const attempts = async () => (await bed.repository.get(run)).stages[0]?.jobs[0]?.attempts ?? [];
        const holder = (await attempts())[0]?.runner?.name;
        const frozen = bed.instance.runners.find((runner) => runner.name === holder);
        frozen?.program.signal("SIGSTOP");
        const lost = await eventually(async () => (await attempts()).length > 1, { timeoutMs: 30_000 }).catch(
          () => false,
        );
        await sleep(random() * 8000);
        frozen?.program.signal("SIGCONT");
        const judgement = await bed.judge(run, { mayLose: 1 });
        const round = judgedRound(judgement, {
          what: "SIGSTOP past the lease, SIGCONT",
          missed: lost ? null : "the lease did not run out",
        });
        if (round.verdict === "good")
          round.counts["new attempts that began while the frozen machine's step still ran"] = {
            bad: judgement.overlaps,
            total: 1,
          };
        return round;
      },
      close: () => bed.close(),
    };
  },
};
