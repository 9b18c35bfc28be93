/** Searching words among many issues with comments: one that few have, and one that nearly all have. */
import { addComments, addIssues, analyze } from "../fill.ts";
import { atMost, timesOf } from "../figures.ts";
import type { Bench, Figure, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median, quantile } from "../statistics.ts";

const rareAtMostMs = 30;
const commonAtMostMs = 250;

async function run(bench: Bench): Promise<ScenarioResult> {
  const { client, instance, size } = bench;
  const { issues, comments } = size.collaboration.searched;
  const name = "searched";
  const { id } = await client.call<{ id: string }>("POST", "/repos", { name });
  const place = { id, path: `/repos/${instance.adminName}/${name}` };
  await addIssues(bench, place, { count: issues, body: "The server answers slowly when many people ask." });
  await addComments(bench, place, {
    numbers: null,
    count: comments,
    body: "Seen again, case # of the server.",
  });
  await client.call("POST", `${place.path}/issues`, { title: "A flaky teapot", body: "It whistles." });
  await analyze(bench, ["work_items", "comments"]);
  return {
    figures: [
      await figureOf(bench, "a word of one issue, everywhere", { q: "teapot", limit: rareAtMostMs }),
      await figureOf(bench, "a word that nearly all have, everywhere", {
        q: "server",
        limit: commonAtMostMs,
      }),
      await figureOf(bench, "the same in one repository", {
        q: `server repo:${instance.adminName}/${name}`,
        limit: commonAtMostMs,
      }),
    ],
    parts: [],
  };
}

async function figureOf(
  bench: Bench,
  what: string,
  { q, limit }: { q: string; limit: number },
): Promise<Figure> {
  const path = `/search/issues?q=${encodeURIComponent(q)}`;
  const { total_count: total } = await bench.client.call<{ total_count: number }>("GET", path);
  const times = await timesOf(bench, path, Math.ceil(bench.size.collaboration.samples / 2));
  return atMost(`${what} (median)`, {
    value: median(times),
    limit,
    unit: "ms",
    more: `${countOf(total)} found, 99th percentile ${quantile(times, 0.99).toFixed(0)} ms`,
  });
}

export const searchWordsScenario: Scenario = {
  number: 41,
  title: ({ collaboration: { searched } }) =>
    `Searching ${countOf(searched.issues)} issues with ${countOf(searched.issues * searched.comments)} comments`,
  isLong: true,
  run,
};
