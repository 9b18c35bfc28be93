/** Results of tests in a report of JUnit: from the job's end until they are read, shown, and listed by REST. */
import { setTimeout as delay } from "node:timers/promises";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median, nowMs } from "../statistics.ts";
import { attemptTimes } from "../trace.ts";

const perPage = 100;
const mostMs = 2_000;
const askAgainMs = 20;
const patienceMs = 5 * 60_000;

interface Sample {
  /** When the server has kept what the report says. */
  readMs: number;
  /** When the first page is answered, as the page of a run asks for it. */
  shownMs: number;
  /** When all pages are. */
  listedMs: number;
}

async function sample({ client, repository, database, size }: Bench): Promise<Sample> {
  const { id } = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, {
    pipeline: "junit",
  });
  const { status } = await client.watch(`${repository.path}/pipelines/${id}`, {}).ended;
  if (status !== "success") throw new Error(`junit ended as ${status}`);
  const page = (number: number) =>
    client.call<unknown[]>(
      "GET",
      `${repository.path}/pipelines/${id}/tests?per_page=${perPage}&page=${number}`,
    );
  await firstPage(() => page(1));
  const shownAtMs = nowMs();
  let listed = 0;
  for (let number = 1; listed < size.testCases; number += 1) {
    const { length } = await page(number);
    if (length === 0) throw new Error(`only ${listed} tests are listed`);
    listed += length;
  }
  const listedAtMs = nowMs();
  const [job] = await attemptTimes(database, id);
  const { rows } = await database.query<{ readMs: number }>(
    `select extract(epoch from max(r.read_at))::float8 * 1000 as "readMs"
     from job_reports r join job_attempts a on a.id = r.attempt_id where a.pipeline_id = $1`,
    [id],
  );
  const doneMs = job?.doneMs ?? Number.NaN;
  return {
    readMs: (rows[0]?.readMs ?? Number.NaN) - doneMs,
    shownMs: shownAtMs - doneMs,
    listedMs: listedAtMs - doneMs,
  };
}

async function firstPage(ask: () => Promise<unknown[]>): Promise<void> {
  const sinceMs = nowMs();
  while ((await ask()).length === 0) {
    if (nowMs() - sinceMs > patienceMs) throw new Error("no test was listed");
    await delay(askAgainMs);
  }
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const samples: Sample[] = [];
  for (let round = 0; round < bench.size.rounds + bench.size.warmUps; round += 1) {
    const one = await sample(bench);
    if (round >= bench.size.warmUps) samples.push(one);
  }
  const of = (name: keyof Sample) => median(samples.map((each) => each[name]));
  const figure = (what: string, ms: number) => ({
    what,
    value: `${ms.toFixed(0)} ms`,
    limit: { text: `≤ ${mostMs} ms`, met: ms <= mostMs },
  });
  return {
    figures: [
      figure("job done → the run's page has its tests", of("shownMs")),
      {
        what: "job done → all of them listed by REST, a hundred at a time",
        value: `${of("listedMs").toFixed(0)} ms`,
      },
    ],
    parts: [
      {
        title: "all tests",
        parts: [
          { what: "job done → report read and kept", ms: of("readMs") },
          { what: "→ first page answered", ms: of("shownMs") - of("readMs") },
          { what: "→ all pages, one after the other", ms: of("listedMs") - of("shownMs") },
        ],
      },
    ],
  };
}

export const testReportsScenario: Scenario = {
  number: 31,
  title: ({ testCases }) => `${countOf(testCases)} results of tests in a report of JUnit`,
  run,
};
