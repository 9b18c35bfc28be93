/** R15, R16, R17, R24: what dead jobs leave, wrong clocks, rolls, and a job that takes the whole machine. */
import { randomBytes } from "node:crypto";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { startUnrelatedContainers } from "../../support/unrelated-containers.ts";
import { leftovers, pushFile, runnerId } from "../../support/instance-run.ts";
import { runnerIsOnline, serverIsReady, type InstanceOptions } from "../../support/instance.ts";
import { steadyRequests } from "../../support/steady-requests.ts";
import { steadyViewer } from "../../support/steady-viewer.ts";
import { wrongClock } from "../../support/wrong-clock.ts";
import { judgedRound } from "../judged-round.ts";
import type { Round, Scenario } from "../scenario.ts";

const shortLeases = {
  FORGELINE_HEARTBEAT_MS: "500",
  FORGELINE_UNREACHABLE_MS: "2000",
  FORGELINE_RECLAIM_MS: "6000",
};

/** Adds a property to a round; a round with anything bad in it is bad. */
function add(round: Round, name: string, bad: number, total: number): Round {
  round.counts[name] = { bad, total };
  if (bad === 0) return round;
  return { ...round, verdict: "bad", problems: [...round.problems, `${String(bad)} ${name}`] };
}

function scenario(
  about: Pick<Scenario, "row" | "name" | "promise">,
  options: InstanceOptions,
  round: (bed: FaultBed, random: () => number) => Promise<Round>,
): Scenario {
  return {
    ...about,
    async open() {
      const bed = await openFaultBed(options);
      return { round: (random) => round(bed, random), close: () => bed.close() };
    },
  };
}

async function roll(bed: FaultBed): Promise<Round> {
  const { instance } = bed;
  const url = `https://localhost:${bed.proxy.port}`;
  const run = await bed.begin({ file: "stages", count: 6000, perPause: 50 });
  const requests = steadyRequests(instance, { path: "/user", clients: 20, url });
  const viewers = Array.from({ length: 40 }, () => steadyViewer(instance, run, { job: "left", url }));
  await Promise.all(viewers.map((viewer) => viewer.open));
  for (const server of instance.servers) {
    await server.program.end("SIGTERM");
    server.program.start();
    await serverIsReady(server, instance.certificates);
  }
  const round = judgedRound(await bed.judge(run), { what: "two servers restarted in turn", missed: null });
  const answers = await requests.stop();
  const total = Object.values(answers).reduce((sum, count) => sum + count, 0);
  const text = (await bed.repository.log(run, "left"))?.text;
  const seen = await Promise.all(viewers.map((viewer) => viewer.whole.catch(() => null)));
  const missed = seen.filter((got) => got !== text).length;
  return add(
    add(round, "requests that failed", total - (answers["200"] ?? 0), total),
    "viewers that missed a byte",
    missed,
    viewers.length,
  );
}

async function clock(bed: FaultBed, random: () => number): Promise<Round> {
  const error = ["+3h", "-3h", "+0 x5", "+40d"][Math.floor(random() * 4)] ?? "+3h";
  const who = error !== "+40d" && random() < 0.5 ? "runner" : "server";
  const { program, name } = bed.runner();
  const server = bed.instance.servers[0];
  await (who === "runner" ? program : server?.program)?.end("SIGTERM");
  if (who === "runner") program.start(wrongClock(error));
  else await bed.startServer(wrongClock(error));
  await runnerIsOnline(bed.instance.api, name);
  const run = await bed.begin({ count: 2000, perPause: 50 });
  const round = judgedRound(await bed.judge(run), { what: `${who}'s clock at ${error}`, missed: null });
  await (who === "runner" ? program : server?.program)?.end("SIGTERM");
  if (who === "runner") program.start();
  else await bed.startServer();
  await runnerIsOnline(bed.instance.api, name);
  return round;
}

async function dead(bed: FaultBed): Promise<Round> {
  const foreigners = await startUnrelatedContainers(bed.docker, `rnr_${randomBytes(8).toString("hex")}`);
  const runner = bed.runner();
  const id = await runnerId(runner);
  const run = await bed.begin({ count: 4000, perPause: 10 });
  await runner.program.kill();
  const first = await eventually(
    async () => {
      const [attempt] = (await bed.repository.get(run)).stages[0]?.jobs[0]?.attempts ?? [];
      return attempt?.reason === "runner_lost" && attempt;
    },
    { timeoutMs: 60_000 },
  );
  const before = await leftovers(bed.docker, id);
  runner.program.start();
  const judgement = await bed.judge(run, { mayLose: 1 });
  const after = (await leftovers(bed.docker, id)).filter((name) => name.includes(first.id));
  const untouched = await foreigners.untouched();
  await foreigners.remove();
  const missed = before.length === 0 ? "the killed runner left nothing" : null;
  const round = judgedRound(judgement, { what: "runner killed, its lease given away", missed });
  return add(
    add(round, "things of a dead job left", after.length, before.length),
    "strangers touched",
    untouched ? 0 : 1,
    1,
  );
}

async function starve(bed: FaultBed): Promise<Round> {
  const script =
    "for i in 1 2 3 4 5 6 7 8; do yes >/dev/null & done; timeout 20 yes || true; kill $(jobs -p); echo over";
  const flood = {
    on: ["push"],
    defaults: { image: "forgeline/base:1", clone: false },
    jobs: { flood: { steps: [{ run: script }] } },
  };
  const read = await pushFile(bed.instance, `flood-${randomBytes(4).toString("hex")}`, JSON.stringify(flood));
  const run = await bed.begin({ count: 4000, perPause: 50 });
  const judgement = await bed.judge(run);
  const ended = await eventually(
    async () => {
      const found = await read();
      return found.finished_at !== null && found;
    },
    { timeoutMs: 120_000 },
  );
  const attempts = ended.stages.flatMap((stage) => stage.jobs).flatMap((job) => job.attempts);
  const round = judgedRound(judgement, {
    what: "8 busy processes and a flood of output for 20 s",
    missed: null,
  });
  return add(
    round,
    "floods that lost their lease",
    attempts.length === 1 && ended.status === "success" ? 0 : 1,
    1,
  );
}

export const rolls = scenario(
  {
    row: "R17",
    name: "rolls",
    promise:
      "Two servers behind a balancer are restarted in turn under load: no request fails, no line is lost",
  },
  { servers: 2 },
  roll,
);
export const clocks = scenario(
  {
    row: "R16",
    name: "clocks",
    promise:
      "A clock that is hours wrong or too fast, on runner or server, costs no lease and no order of lines",
  },
  { env: shortLeases },
  clock,
);
export const deadJobs = scenario(
  {
    row: "R15",
    name: "dead-jobs",
    promise: "A runner removes at its start what its lost leases left, and nothing of anybody else",
  },
  { env: shortLeases },
  dead,
);
export const starving = scenario(
  {
    row: "R24",
    name: "starving",
    promise: "A job that takes all processors and prints without end costs no lease",
  },
  { env: { ...shortLeases, FORGELINE_STEP_LOG_BYTES: "4194304" } },
  starve,
);
