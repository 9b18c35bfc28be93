/** A search of a long log for what stands at its end, and how long other requests take meanwhile. */
import { eventually } from "../../test/support/eventually.ts";
import { lineBytes, needle } from "../pipeline-files.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median } from "../statistics.ts";

const atMostMs = 1_000;

interface Page {
  matches: { text: string }[];
  next_cursor: string | null;
}

/** The path of a run whose log is stored as objects. */
async function longRun({ client, repository, database, say }: Bench): Promise<string> {
  const { id } = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, {
    pipeline: "search",
  });
  await eventually(
    async () => {
      const { rows } = await database.query<{ open: boolean }>(
        `select p.finished_at is null or exists (select from log_chunks c join log_streams s on s.id = c.stream_id
           where s.pipeline_id = p.id) as open from pipelines p where p.id = $1`,
        [id],
      );
      return rows[0]?.open === false;
    },
    { timeoutMs: 600_000, intervalMs: 200 },
  );
  say("the log is stored");
  return `${repository.path}/pipelines/${id}`;
}

/** Milliseconds until the whole log was searched, however many answers that took. */
async function search({ client }: Bench, path: string): Promise<number> {
  const began = performance.now();
  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = `?q=${encodeURIComponent(needle)}${cursor && `&cursor=${cursor}`}`;
    const page: Page = await client.call<Page>("GET", `${path}/logs/search${query}`);
    found.push(...page.matches.map(({ text }) => text));
    cursor = page.next_cursor;
  }
  const ms = performance.now() - began;
  if (found.length !== 1 || found[0] !== needle.toUpperCase())
    throw new Error(`found ${JSON.stringify(found.slice(0, 3))}`);
  return ms;
}

/** Of a small request, one after the other until `isOver`. */
async function otherRequests({ client }: Bench, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  do {
    const began = performance.now();
    await client.call("GET", "/user");
    times.push(performance.now() - began);
  } while (!isOver());
  return times;
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const path = await longRun(bench);
  const { rounds, warmUps, searchedLines } = bench.size;
  const times: number[] = [];
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const ms = await search(bench, path);
    if (round >= warmUps) times.push(ms);
  }
  let isOver = false;
  const others = otherRequests(bench, () => isOver);
  await search(bench, path);
  isOver = true;
  const worst = Math.max(...(await others));
  const ms = median(times);
  return {
    figures: [
      {
        what: `${Math.round((searchedLines * lineBytes) / 1e6)} MB of log searched for its last line`,
        value: `${ms.toFixed(0)} ms`,
        limit: { text: `≤ ${atMostMs} ms`, met: ms <= atMostMs },
      },
      { what: "another request meanwhile, the slowest", value: `${worst.toFixed(0)} ms` },
    ],
    parts: [],
  };
}

export const searchLogsScenario: Scenario = {
  number: 22,
  title: ({ searchedLines }) => `A search of ${countOf(searchedLines)} log lines, stored as objects`,
  run,
};
