/** Mirrors: a sync that finds nothing, and the first one of a long history, each against what Git takes without us. */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { MirrorSync } from "@forgeline/schemas/mirrors/resource.ts";
import { readBed } from "../../test/support/bed.ts";
import { eventually } from "../../test/support/eventually.ts";
import { startGitSource, type GitSource, type SourceRepository } from "../../test/support/git-source.ts";
import { addCommits } from "../long-history.ts";
import { ratioFigure, type Bench, type Scenario, type ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median } from "../statistics.ts";

const run = promisify(execFile);
const atMost = 1.2;

interface Place {
  /** `/repos/OWNER/NAME` */
  path: string;
}

async function repository({ client, instance }: Bench, name: string): Promise<Place> {
  await client.call("POST", "/repos", { name });
  return { path: `/repos/${instance.adminName}/${name}` };
}

/** The newest sync, once it is another one than `before` and has ended. */
async function nextSync({ client }: Bench, { path }: Place, before: string | undefined): Promise<MirrorSync> {
  return eventually(
    async () => {
      const [sync] = await client.call<MirrorSync[]>("GET", `${path}/mirror/history?per_page=1`);
      return sync && sync.id !== before && sync.status !== "running" && sync;
    },
    { timeoutMs: 300_000, intervalMs: 20 },
  );
}

async function timed(args: string[], caFile: string): Promise<number> {
  const began = performance.now();
  await run("git", args, { env: { ...process.env, GIT_SSL_CAINFO: caFile }, maxBuffer: 1 << 28 });
  return performance.now() - began;
}

function durationOf(sync: MirrorSync): number {
  if (sync.status !== "succeeded") throw new Error(`a sync has ${sync.status}: ${sync.error}`);
  return sync.duration_ms ?? 0;
}

async function measureFirst(bench: Bench, followed: SourceRepository, caFile: string) {
  const [ours, theirs]: number[][] = [[], []];
  for (let round = -bench.size.warmUps; round < bench.size.history.cloneRounds; round += 1) {
    const target = join(bench.directory, `mirror-${round}`);
    const took = await timed(["clone", "--quiet", "--mirror", followed.url, target], caFile);
    await rm(target, { recursive: true });
    const place = await repository(bench, `first-${round + bench.size.warmUps}`);
    await bench.client.call("PUT", `${place.path}/mirror`, { url: followed.url });
    const sync = await nextSync(bench, place, undefined);
    if (round < 0) continue;
    theirs?.push(took);
    ours?.push(durationOf(sync));
  }
  return ratioFigure(
    `a first sync of ${countOf(bench.size.history.commits)} commits, against \`git clone --mirror\``,
    { ours: median(ours ?? []), theirs: median(theirs ?? []), atMost },
  );
}

async function measureUnchanged(bench: Bench, followed: SourceRepository, caFile: string) {
  const place = { path: `/repos/${bench.instance.adminName}/first-0` };
  const [ours, theirs]: number[][] = [[], []];
  let before = (await nextSync(bench, place, undefined)).id;
  for (let round = -bench.size.warmUps; round < bench.size.rounds; round += 1) {
    const took = await timed(["ls-remote", "--quiet", followed.url], caFile);
    await bench.client.call("POST", `${place.path}/mirror/sync`);
    const sync = await nextSync(bench, place, before);
    before = sync.id;
    if (round < 0) continue;
    theirs?.push(took);
    ours?.push(durationOf(sync));
  }
  return ratioFigure("a sync without change, against `git ls-remote`", {
    ours: median(ours ?? []),
    theirs: median(theirs ?? []),
    atMost,
  });
}

async function measure(bench: Bench, source: GitSource): Promise<ScenarioResult> {
  const { caFile } = (await readBed()).certificates;
  const followed = await source.create("long");
  await addCommits({ directory: followed.directory, env: process.env }, 0, bench.size.history.commits);
  await followed.git("gc", "--quiet");
  const first = await measureFirst(bench, followed, caFile);
  return { figures: [await measureUnchanged(bench, followed, caFile), first], parts: [] };
}

export const mirrorsScenario: Scenario = {
  number: 16,
  title: ({ history }) =>
    `Mirrors: a sync without change, and a first one of ${countOf(history.commits)} commits`,
  async run(bench) {
    const source = await startGitSource();
    try {
      return await measure(bench, source);
    } finally {
      await source.close();
    }
  },
};
