/** A matrix of 256 combinations: from the request until each can be taken by a runner. None takes them. */
import { eventually } from "../../test/support/eventually.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { median } from "../statistics.ts";

const atMostMs = 500;
const combinations = 256;

interface Times {
  /** From when the run was created until its last attempt can be seen in the queue. */
  queuedMs: number;
  /** From the request until then. */
  wholeMs: number;
}

async function once({ client, repository, database }: Bench): Promise<Times> {
  const beganAt = Date.now();
  const run = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, {
    pipeline: "matrix",
  });
  const queued = await eventually(
    async () => {
      const { rows } = await database.query<{ count: number; created: Date }>(
        `select count(*)::int as count, min(p.created_at) as created
         from pipelines p join job_attempts a on a.pipeline_id = p.id where p.id = $1`,
        [run.id],
      );
      return rows[0]?.count === combinations && rows[0];
    },
    { timeoutMs: 60_000, intervalMs: 5 },
  );
  const seenAt = Date.now();
  await client.call("POST", `${repository.path}/pipelines/${run.id}/cancel`, { force: true });
  await eventually(async () => {
    const { status } = await client.call<{ status: string }>("GET", `${repository.path}/pipelines/${run.id}`);
    return status === "cancelled";
  });
  return {
    queuedMs: seenAt - queued.created.getTime(),
    wholeMs: seenAt - beganAt,
  };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { rounds, warmUps } = bench.size;
  const times: Times[] = [];
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const one = await once(bench);
    if (round >= warmUps) times.push(one);
  }
  const queuedMs = median(times.map((one) => one.queuedMs));
  const wholeMs = median(times.map((one) => one.wholeMs));
  return {
    figures: [
      {
        what: `${combinations} combinations, run created → the last one in the queue`,
        value: `${queuedMs.toFixed(0)} ms`,
        limit: { text: `≤ ${atMostMs} ms`, met: queuedMs <= atMostMs },
      },
      { what: "from the request on", value: `${wholeMs.toFixed(0)} ms` },
    ],
    parts: [],
  };
}

export const matrixScenario: Scenario = {
  number: 21,
  title: () => `A matrix of ${combinations} combinations: decided and queued`,
  run,
};
