/** Lists of a hundred with their total count: of a thousand runs, and of a million in the same table. */
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median } from "../statistics.ts";

const atMost = 5;

/** Rows as a finished run leaves them; no job ever ran. */
async function fill({ instance, database }: Bench, name: string, runs: number): Promise<string> {
  const { id } = await instance.api<{ id: string }>("POST", "/repos", { name });
  const event = {
    repository: { owner: instance.adminName, name, defaultBranch: "main" },
    commitMessage: "more",
    commitAuthor: "Ada",
  };
  // Identifiers have 26 characters; the repository's last eight tell its runs from others.
  await database.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, triggered_by, status, finished_at)
     select 'pipe_' || right($1, 8) || lpad(n::text, 18, '0'), $1, n, '.forgeline.yml', 'push', 'refs/heads/main',
       repeat('0', 40), $2::jsonb, u.id, 'success', now()
     from generate_series(1, $3::int) n, (select id from users where username = $4) u`,
    [id, JSON.stringify(event), runs, instance.adminName],
  );
  return `/repos/${instance.adminName}/${name}/pipelines?per_page=100`;
}

async function time({ client }: Bench, path: string): Promise<number> {
  const beganMs = performance.now();
  await client.call("GET", path);
  return performance.now() - beganMs;
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { rows, fewRows, listRounds } = bench.size;
  const paths = [await fill(bench, "few-runs", fewRows), await fill(bench, "many-runs", rows)];
  await bench.database.query("analyze pipelines").catch(() => undefined);
  const times = paths.map(() => [] as number[]);
  const firsts: number[] = [];
  for (const path of paths) firsts.push(await time(bench, path));
  for (let round = 0; round < listRounds; round++)
    for (const [i, path] of paths.entries()) times[i]?.push(await time(bench, path));
  const [ofFew = 0, ofMany = 0] = times.map(median);
  const ratio = ofMany / ofFew;
  return {
    figures: [
      {
        what: `a hundred of ${countOf(rows)} with their total, over a hundred of ${countOf(fewRows)}`,
        value: `${ratio.toFixed(1)} × (${ofMany.toFixed(1)} ms against ${ofFew.toFixed(1)} ms; the very first ${(firsts[1] ?? 0).toFixed(0)} ms)`,
        limit: { text: `< ${atMost} ×`, met: ratio < atMost },
      },
    ],
    parts: [],
  };
}

export const listRunsScenario: Scenario = {
  number: 8,
  title: () => "Lists with total count, of a long and of a short table",
  run,
};
