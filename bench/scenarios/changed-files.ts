/** The first page of the files of a large change: when nobody has asked before, and afterwards. */
import { makeBranches, openMergeRequests, untilCompared } from "../branches.ts";
import { medianFigure, timeOf, timesOf } from "../figures.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";

const coldAtMostMs = 200;
const warmAtMostMs = 40;
/** As the page of the web interface asks. */
const query = "?page=1&per_page=50";
/** Each is cold only once. */
const branches = 5;

async function run(bench: Bench): Promise<ScenarioResult> {
  const { changedFiles, samples } = bench.size.collaboration;
  const made = await makeBranches(bench, {
    name: "changed-files",
    files: changedFiles,
    branches,
    commits: 1,
    changed: changedFiles,
  });
  const numbers = await openMergeRequests(bench, made, branches);
  await untilCompared(bench, made.id);
  const paths = numbers.map((number) => `${made.path}/merge-requests/${number}/files${query}`);
  const cold: number[] = [];
  for (const path of paths) cold.push(await timeOf(bench, path));
  const warm = await timesOf(bench, paths[0] ?? "", samples);
  return {
    figures: [
      medianFigure("first page of 50 with their patches, cold (median)", {
        times: cold,
        limit: coldAtMostMs,
      }),
      medianFigure("the same again (median)", { times: warm, limit: warmAtMostMs }),
    ],
    parts: [],
  };
}

export const changedFilesScenario: Scenario = {
  number: 35,
  title: ({ collaboration: { changedFiles } }) =>
    `Files of a merge request that changes ${countOf(changedFiles)} of them`,
  isLong: true,
  run,
};
