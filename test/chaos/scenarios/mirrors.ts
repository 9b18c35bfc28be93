/** R10: the worker is killed in the middle of syncs, while the source forces, deletes and goes away. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { readBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { startGitSource, type GitSource } from "../../support/git-source.ts";
import { mirrorOnInstance, type InstanceMirror } from "../../support/instance-mirror.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Round, Scenario } from "../scenario.ts";

const killsOfRound = 5;
/** What the source waits for before it answers, so that the kill falls into a sync. */
const slowMs = 800;

interface Bed {
  instance: TestInstance;
  source: GitSource;
  database: pg.Client;
}

type Change = (mirror: InstanceMirror, at: number) => Promise<unknown>;

const changes: readonly Change[] = [
  ({ source }, at) => source.commit("main", { "a.txt": `${at}`, [`f${at}`]: "x".repeat(at * 2_000) }),
  ({ source }, at) => source.git("update-ref", `refs/heads/topic-${at}`, "main"),
  ({ source }, at) => source.git("update-ref", `refs/tags/v${at}`, "main"),
  // Another history for a branch that is there: a forced update.
  async ({ source }, at) => {
    const forced = await source.commit(`other-${at}`, { "o.txt": `${at}` });
    await source.git("update-ref", "refs/heads/main", forced);
  },
  async ({ source }) => {
    const [branch] = (await source.git("for-each-ref", "--format=%(refname)", "refs/heads/topic-*")).split(
      "\n",
    );
    if (branch) await source.git("update-ref", "-d", branch);
  },
];

/** Changes the source, and kills the worker while it follows. */
async function breakOff(
  { instance, source }: Bed,
  mirror: InstanceMirror,
  random: () => number,
): Promise<void> {
  const isAway = random() < 0.2;
  source.answer = (_request, response, usual) =>
    void setTimeout(() => (isAway ? response.writeHead(404).end() : usual()), random() * slowMs);
  for (let count = 0; count < 3; count += 1)
    await changes[Math.floor(random() * changes.length)]?.(mirror, Math.floor(random() * 1_000));
  await Promise.all([mirror.requestSync(), mirror.requestSync()]);
  const isSyncing = async () => (await mirror.get()).status !== "up_to_date";
  await eventually(isSyncing, { timeoutMs: 20_000, intervalMs: 50 }).catch(() => undefined);
  await sleep(random() * slowMs * 2);
  await instance.worker?.kill();
  instance.worker?.start();
}

/** Values of refs that were told more than once, and all of them. */
async function told({ database }: Bed, { id }: InstanceMirror): Promise<{ bad: number; total: number }> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from events where repository_id = $1 and kind in ('push', 'tag')
     group by subject ->> 'ref', subject ->> 'before', subject ->> 'after'`,
    [id],
  );
  return { bad: rows.filter(({ count }) => count > 1).length, total: rows.length };
}

async function round(bed: Bed, random: () => number): Promise<Round> {
  bed.source.answer = (_request, _response, usual) => usual();
  const mirror = await mirrorOnInstance(bed.instance, bed.source);
  for (let kill = 0; kill < killsOfRound; kill += 1) await breakOff(bed, mirror, random);
  bed.source.answer = (_request, _response, usual) => usual();
  await mirror.requestSync();
  await mirror.caughtUp();
  const problems = await mirror.problems();
  const events = await told(bed, mirror);
  // One more sync, with nothing to do, writes nothing.
  const before = (await told(bed, mirror)).total;
  await mirror.requestSync();
  await mirror.caughtUp();
  const again = (await told(bed, mirror)).total - before;
  const isBad = problems.length > 0 || events.bad > 0 || again > 0;
  return {
    verdict: isBad ? "bad" : "good",
    counts: {
      "mirrors that differ from their source": { bad: Number(problems.length > 0), total: 1 },
      "moves that were told twice": events,
      "writes of a sync with nothing to do": { bad: again, total: 1 },
    },
    faults: killsOfRound,
    fault: `kill -9 of the worker in ${killsOfRound} syncs`,
    problems,
  };
}

export const mirrors: Scenario = {
  row: "R10",
  name: "mirrors",
  promise:
    "The worker dies in the middle of syncs, while the source forces, deletes and goes away: the mirror becomes what its source is, and each move is told once",
  async open() {
    const source = await startGitSource();
    const { caFile } = (await readBed()).certificates;
    const instance = await startTestInstance({
      runners: 0,
      env: { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile },
    });
    const database = new pg.Client({ connectionString: instance.database.url });
    await database.connect();
    return {
      round: (random) => round({ instance, source, database }, random),
      async close() {
        await database.end();
        await instance.stop();
        await source.close();
        return [];
      },
    };
  },
};
