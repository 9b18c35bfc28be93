/** Reading one merge request of 50 commits with its 300 comments: how many statements, and what the processors do. */
import { addComments } from "../fill.ts";
import { makeBranches, openMergeRequests, untilCompared } from "../branches.ts";
import { atMost } from "../figures.ts";
import { processorOf } from "../processor.ts";
import { recordReads } from "../recorded-reads.ts";
import type { Bench, Figure, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";

const statementsAtMost = 6;
const processorAtMostMs = 25;
/** Enough for a clock of hundredths of a second. */
const readsOfSample = 5;

async function run(bench: Bench): Promise<ScenarioResult> {
  const { comments, commits } = bench.size.collaboration;
  const made = await makeBranches(bench, {
    name: "one-merge-request",
    files: commits * 2,
    branches: 1,
    commits,
    changed: 2,
  });
  const numbers = await openMergeRequests(bench, made, 1);
  const body = "Comment # says **something** about `code`.";
  await addComments(bench, made, { numbers, count: comments, body });
  await untilCompared(bench, made.id);
  const one = `${made.path}/merge-requests/${numbers[0]}`;
  const figures = [
    ...(await figuresOf(bench, "the merge request", one)),
    ...(await figuresOf(bench, `100 of its ${countOf(comments)} comments`, `${one}/comments?per_page=100`)),
    ...(await figuresOf(bench, `its ${countOf(commits)} commits`, `${one}/commits?per_page=100`)),
  ];
  return { figures, parts: [] };
}

async function figuresOf(bench: Bench, what: string, path: string): Promise<Figure[]> {
  const { samples } = bench.size.collaboration;
  const [read] = await recordReads(bench, [path]);
  await bench.client.call("GET", path);
  const reads = samples * readsOfSample;
  const { serverMs, databaseMs } = await processorOf(bench, async () => {
    for (let round = 0; round < reads; round++) await bench.client.call("GET", path);
  });
  return [
    atMost(`${what}: statements in one request`, {
      value: read?.queries.length ?? 0,
      limit: statementsAtMost,
      unit: "",
    }),
    atMost(`${what}: processor time, server and database`, {
      value: (serverMs + databaseMs) / reads,
      limit: processorAtMostMs,
      unit: "ms",
      more: `of which ${(databaseMs / reads).toFixed(1)} ms are of the database`,
    }),
  ];
}

export const mergeRequestScenario: Scenario = {
  number: 34,
  title: ({ collaboration: { comments, commits } }) =>
    `A merge request with ${countOf(comments)} comments and ${countOf(commits)} commits, by REST`,
  isLong: true,
  run,
};
