/** Clone, fetch and push of a repository with a long history over both transports, against `git` over `file://` on a copy of it. */
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createGitTransports, transports, type Transport, type GitTransports } from "../git-transports.ts";
import { addCommits, type History } from "../long-history.ts";
import {
  ratioFigure,
  type Bench,
  type Figure,
  type Part,
  type Scenario,
  type ScenarioResult,
} from "../scenario.ts";
import { countOf } from "../size.ts";
import { median } from "../statistics.ts";

const cloneAtMost = 1.15;
const pushAtMostMs = 80;
const emptyFetchAtMostMs = 25;

type Way = Transport | "file";
const ways: readonly Way[] = ["file", ...transports];
const operations = ["clone", "push", "fetch", "emptyFetch"] as const;
type Operation = (typeof operations)[number];
type Times = Record<Way, Record<Operation, number[]>>;

interface Place {
  git: GitTransports;
  repositoryId: string;
  /** Where commits are made. */
  source: History;
  url: Record<Way, string>;
  /** A bare clone for each way. */
  clone: Record<Way, string>;
}

/** The copy has the same files as the server's repository, so that both sides read the same packs. */
async function prepare(bench: Bench): Promise<Place> {
  const git = await createGitTransports(bench);
  const name = "long-history";
  const directory = join(bench.directory, name);
  await mkdir(directory);
  const { id } = await bench.client.call<{ id: string }>("POST", "/repos", { name });
  const source = { directory: join(directory, "source.git"), env: git.env };
  await git.time(directory, "init", "-q", "--bare", "-b", "main", source.directory);
  await addCommits(source, 0, bench.size.history.commits);
  await git.time(source.directory, "-c", "pack.window=0", "push", "-q", git.url("https", name), "main");
  const copy = join(directory, "copy.git");
  await cp(git.directoryOf(id), copy, { recursive: true });
  const clone = { file: "", https: "", ssh: "" };
  for (const way of ways) {
    clone[way] = join(directory, `${way}.git`);
    await cp(copy, clone[way], { recursive: true });
  }
  const url = { file: `file://${copy}`, https: git.url("https", name), ssh: git.url("ssh", name) };
  return { git, repositoryId: id, source, url, clone };
}

/** In turns, so that what else the machine does hits all alike. */
async function clones(bench: Bench, { git, url }: Place, times: Times): Promise<void> {
  const target = join(bench.directory, "long-history-clone");
  for (let round = -bench.size.warmUps; round < bench.size.history.cloneRounds; round++)
    for (const way of ways) {
      const ms = await git.time(bench.directory, "clone", "-q", "--bare", url[way], target);
      await rm(target, { recursive: true });
      if (round >= 0) times[way].clone.push(ms);
    }
}

/** What the server recorded of the push that it was sent last. */
async function recordOf({ database }: Bench, repositoryId: string) {
  const { rows } = await database.query<{ intentMs: number; recordedMs: number }>(
    `select extract(epoch from created_at)::float8 * 1000 as "intentMs",
       extract(epoch from recorded_at)::float8 * 1000 as "recordedMs"
     from pushes where repository_id = $1 and state = 'recorded' order by id desc limit 1`,
    [repositoryId],
  );
  if (!rows[0]) throw new Error("the push was not recorded");
  return rows[0];
}

interface PushMoments {
  toIntent: number;
  toRecord: number;
  toEnd: number;
}

/** One new commit is pushed to the copy and over one transport, then fetched in all ways, and then there is nothing to fetch. */
async function round(
  bench: Bench,
  place: Place,
  given: { transport: Transport; number: number; times: Times },
) {
  const { git, source, url, clone } = place;
  const { transport, number, times } = given;
  await addCommits(source, number, 1);
  times.file.push.push(await git.time(source.directory, "push", "-q", url.file, "main"));
  const beganMs = performance.timeOrigin + performance.now();
  const pushMs = await git.time(source.directory, "push", "-q", url[transport], "main");
  times[transport].push.push(pushMs);
  const record = await recordOf(bench, place.repositoryId);
  const fetch = (way: Way) => git.time(clone[way], "fetch", "-q", url[way], "+main:main");
  for (const way of ways) times[way].fetch.push(await fetch(way));
  for (const way of ways) times[way].emptyFetch.push(await fetch(way));
  return {
    toIntent: record.intentMs - beganMs,
    toRecord: record.recordedMs - record.intentMs,
    toEnd: beganMs + pushMs - record.recordedMs,
  };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const place = await prepare(bench);
  bench.say("the long history is there");
  const none = () => ({ clone: [], push: [], fetch: [], emptyFetch: [] });
  const times: Times = { file: none(), https: none(), ssh: none() };
  const moments: Record<Transport, PushMoments[]> = { https: [], ssh: [] };
  let number = bench.size.history.commits;
  for (let i = -bench.size.warmUps; i < bench.size.rounds; i++) {
    const into = i < 0 ? { file: none(), https: none(), ssh: none() } : times;
    for (const transport of transports) {
      const seen = await round(bench, place, { transport, number, times: into });
      number += 1;
      if (i >= 0) moments[transport].push(seen);
    }
  }
  await clones(bench, place, times);
  return {
    figures: transports.flatMap((transport) => figures(transport, times)),
    parts: transports.map((transport) => ({
      title: `push over ${names[transport]}`,
      parts: partsOfPush(moments[transport]),
    })),
  };
}

const names: Record<Transport, string> = { https: "HTTPS", ssh: "SSH" };

function figures(transport: Transport, times: Times): Figure[] {
  const ms = (way: Way, operation: Operation) => median(times[way][operation]);
  const more = (what: string, operation: Operation, atMostMs?: number): Figure => {
    const over = ms(transport, operation) - ms("file", operation);
    return {
      what: `${what}, ${names[transport]}`,
      value: `${over.toFixed(1)} ms more (${ms(transport, operation).toFixed(1)} ms against ${ms("file", operation).toFixed(1)} ms)`,
      ...(atMostMs === undefined ? {} : { limit: { text: `≤ ${atMostMs} ms`, met: over <= atMostMs } }),
    };
  };
  return [
    ratioFigure(`clone, ${names[transport]}`, {
      ours: ms(transport, "clone"),
      theirs: ms("file", "clone"),
      atMost: cloneAtMost,
    }),
    more("push of one commit, durable", "push", pushAtMostMs),
    more("fetch of one commit", "fetch"),
    more("fetch of nothing", "emptyFetch", emptyFetchAtMostMs),
  ];
}

function partsOfPush(moments: readonly PushMoments[]): Part[] {
  const part = (what: string, name: keyof PushMoments) => ({
    what,
    ms: median(moments.map((all) => all[name])),
  });
  return [
    part("git push begins → judged, intent durable", "toIntent"),
    part("→ refs moved, on disk, recorded with what follows", "toRecord"),
    part("→ git push ends", "toEnd"),
  ];
}

export const gitExchangesScenario: Scenario = {
  number: 11,
  title: ({ history }) =>
    `Git: a repository with ${countOf(history.commits)} commits, against \`git\` over \`file://\` on a copy of it`,
  run,
};
