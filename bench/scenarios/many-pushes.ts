/** Many pushes at once, each to a repository of its own; and when the run that a push starts can be seen. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../test/support/eventually.ts";
import { createGitTransports, transports, type Transport, type GitTransports } from "../git-transports.ts";
import { addCommits } from "../long-history.ts";
import { createBenchRepository } from "../repository.ts";
import { pushFiles } from "../pipeline-files.ts";
import type { Bench, Figure, Scenario, ScenarioResult } from "../scenario.ts";
import { median, nowMs, quantile } from "../statistics.ts";

const commits = 20;
const visibleAtMostMs = 100;

interface Crowd {
  git: GitTransports;
  source: { directory: string; env: NodeJS.ProcessEnv };
  names: string[];
}

async function prepare(bench: Bench, git: GitTransports): Promise<Crowd> {
  const directory = join(bench.directory, "crowd");
  await mkdir(directory);
  const source = { directory: join(directory, "source.git"), env: git.env };
  await git.time(directory, "init", "-q", "--bare", "-b", "main", source.directory);
  await addCommits(source, 0, commits);
  const names = Array.from({ length: bench.size.repositories }, (_, n) => `crowd-${n}`);
  for (const name of names) {
    await bench.client.call("POST", "/repos", { name });
    await git.time(directory, "init", "-q", "--bare", "-b", "main", join(directory, `${name}.git`));
  }
  return { git, source, names };
}

/** All begin at once; how long each took that was taken, and all of them. */
async function pushAll({ git, source }: Crowd, urls: readonly string[], branch: string) {
  const beganMs = performance.now();
  const ended = await Promise.allSettled(
    urls.map((url) => git.time(source.directory, "push", "-q", url, `main:${branch}`)),
  );
  const each = ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  return { each, allMs: performance.now() - beganMs };
}

async function crowdFigures(bench: Bench, git: GitTransports): Promise<Figure[]> {
  const { repositories } = bench.size;
  const crowd = await prepare(bench, git);
  bench.say(`${repositories} repositories are there`);
  const files = crowd.names.map((name) => `file://${join(bench.directory, "crowd", `${name}.git`)}`);
  const bare = await pushAll(crowd, files, "main");
  const figures: Figure[] = [];
  let taken = 0;
  for (const [i, transport] of transports.entries()) {
    const urls = crowd.names.map((name) => git.url(transport, name));
    const { each, allMs } = await pushAll(crowd, urls, `by-${i}`);
    taken += each.length;
    const spread = `median ${median(each).toFixed(0)} ms, slowest ${quantile(each, 1).toFixed(0)} ms`;
    figures.push({
      what: `${repositories} pushes at once to ${repositories} repositories, ${names[transport]}`,
      value: `${(allMs / 1000).toFixed(1)} s, ${(allMs / bare.allMs).toFixed(1)} × the ${(bare.allMs / 1000).toFixed(1)} s over \`file://\` (${spread})`,
    });
  }
  const { rows } = await bench.database.query<{ recorded: number }>(
    `select count(*)::int as recorded from pushes p join repositories r on r.id = p.repository_id
     where r.name like 'crowd-%' and p.state = 'recorded'`,
  );
  const recorded = rows[0]?.recorded ?? 0;
  const all = repositories * transports.length;
  figures.push({
    what: "of them taken, and recorded",
    value: `${taken} and ${recorded} of ${all}`,
    limit: { text: "all", met: taken === all && recorded === all },
  });
  return figures;
}

/** From the beginning of `git push` until somebody who asks sees the run. */
async function visibleMs(
  bench: Bench,
  push: () => Promise<unknown>,
  { repositoryName, number }: { repositoryName: string; number: number },
) {
  const beganMs = nowMs();
  const pushed = push().then(() => nowMs() - beganMs);
  const seen = async () => {
    const { rows } = await bench.database.query(
      `select 1 from pipelines p join repositories r on r.id = p.repository_id where r.name = $1 and p.number = $2`,
      [repositoryName, number],
    );
    return rows.length > 0 && nowMs() - beganMs;
  };
  const seenMs = await eventually(seen, { intervalMs: 2 });
  return { seenMs, pushMs: await pushed };
}

async function visibleFigures(bench: Bench, git: GitTransports): Promise<Figure[]> {
  const name = "visible";
  const directory = join(bench.directory, name);
  const repository = await createBenchRepository(bench.instance, { directory, name, files: pushFiles });
  const tree = join(directory, name);
  const samples: Record<Transport, { seenMs: number; pushMs: number }[]> = { https: [], ssh: [] };
  let number = 1;
  for (let round = -bench.size.warmUps; round < bench.size.rounds; round++)
    for (const transport of transports) {
      await repository.commit();
      number += 1;
      const push = () => git.time(tree, "push", "-q", git.url(transport, name), "HEAD:main");
      const sample = await visibleMs(bench, push, { repositoryName: name, number });
      if (round >= 0) samples[transport].push(sample);
      await finished(bench, name, number);
    }
  return transports.map((transport) => {
    const seen = median(samples[transport].map(({ seenMs }) => seenMs));
    const pushed = median(samples[transport].map(({ pushMs }) => pushMs));
    return {
      what: `git push begins → its run can be seen, ${names[transport]}`,
      value: `${seen.toFixed(0)} ms (git push in all: ${pushed.toFixed(0)} ms)`,
      limit: { text: `< ${visibleAtMostMs} ms`, met: seen < visibleAtMostMs },
    };
  });
}

/** The next push must not share the machine with this one's job. */
async function finished({ database }: Bench, name: string, number: number): Promise<void> {
  const isFinished = async () => {
    const { rows } = await database.query(
      `select 1 from pipelines p join repositories r on r.id = p.repository_id
       where r.name = $1 and p.number = $2 and p.finished_at is not null`,
      [name, number],
    );
    return rows.length > 0;
  };
  await eventually(isFinished, { timeoutMs: 30_000, intervalMs: 20 });
}

const names: Record<Transport, string> = { https: "HTTPS", ssh: "SSH" };

async function run(bench: Bench): Promise<ScenarioResult> {
  const git = await createGitTransports(bench);
  const visible = await visibleFigures(bench, git);
  return { figures: [...visible, ...(await crowdFigures(bench, git))], parts: [] };
}

export const manyPushesScenario: Scenario = {
  number: 12,
  title: ({ repositories }) => `Pushes: when a run can be seen, and ${repositories} at once`,
  run,
};
