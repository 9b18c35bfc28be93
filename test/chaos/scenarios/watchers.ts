/** R12 and R13: a thousand viewers of one log, some of them stopped, while the server is killed. */
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { eventually } from "../../support/eventually.ts";
import { sha256, startWatchers, type Watchers } from "../../support/watcher-process.ts";
import { judgedRound } from "../judged-round.ts";
import type { Round, Scenario } from "../scenario.ts";

/** Viewers that did not get exactly the log count as bad; a process of viewers that saw a gap counts whole. */
async function judgeViewers(
  round: Round,
  groups: readonly { viewers: number; watchers: Watchers }[],
  hash: string,
) {
  const count = { bad: 0, total: 0 };
  let connections = 0;
  for (const { viewers, watchers } of groups) {
    count.total += viewers;
    const got = await watchers.ended.catch(() => null);
    connections += got?.connections ?? 0;
    if (got?.hashes.length !== 1 || got.hashes[0] !== hash) count.bad += viewers;
  }
  round.counts["viewers that missed a byte"] = count;
  if (count.bad > 0) {
    round.verdict = "bad";
    round.problems.push(`${String(count.bad)} viewers did not get the log`);
  }
  return connections;
}

async function slowRound(bed: FaultBed): Promise<Round> {
  const run = await bed.begin({ count: 100_000, perPause: 1000 });
  const stopped = { viewers: 10, watchers: startWatchers(bed.instance, run, { viewers: 10, job: "only" }) };
  await stopped.watchers.open;
  process.kill(stopped.watchers.pid, "SIGSTOP");
  const healthy = {
    viewers: 1000,
    watchers: startWatchers(bed.instance, run, { viewers: 1000, job: "only" }),
  };
  const round = judgedRound(await bed.judge(run), { what: "10 of 1,010 viewers stopped", missed: null });
  process.kill(stopped.watchers.pid, "SIGCONT");
  const text = (await bed.repository.log(run, "only"))?.text ?? "";
  await judgeViewers(round, [stopped, healthy], sha256(text));
  return round;
}

async function killRound(bed: FaultBed): Promise<Round> {
  const run = await bed.begin({ count: 4000, perPause: 5 });
  const watchers = startWatchers(bed.instance, run, { viewers: 1000, job: "only" });
  await watchers.open;
  const before = await bed.linesSeen(run);
  await bed.instance.servers[0]?.program.kill();
  await bed.startServer();
  await eventually(async () => (await bed.linesSeen(run)) > before, { timeoutMs: 60_000 });
  const round = judgedRound(await bed.judge(run), {
    what: "server killed under 1,000 viewers",
    missed: null,
  });
  const text = (await bed.repository.log(run, "only"))?.text ?? "";
  const connections = await judgeViewers(round, [{ viewers: 1000, watchers }], sha256(text));
  if (round.verdict === "good" && connections < 2000)
    return { ...round, verdict: "void", problems: ["not all viewers were cut"] };
  return round;
}

function scenario(
  row: string,
  name: string,
  promise: string,
  round: (bed: FaultBed) => Promise<Round>,
): Scenario {
  return {
    row,
    name,
    promise,
    async open() {
      const bed = await openFaultBed();
      return { round: () => round(bed), close: () => bed.close() };
    },
  };
}

export const slowViewers = scenario(
  "R12",
  "slow-viewers",
  "Viewers that do not read cost the others nothing, and get every byte when they read again",
  slowRound,
);
export const thousandViewers = scenario(
  "R13",
  "thousand-viewers",
  "The server dies under a thousand viewers of one log: each goes on at its byte",
  killRound,
);
