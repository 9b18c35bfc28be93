/** Lists and single reads of issues and merge requests, against Express with the same statements and the same bodies. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../test/support/eventually.ts";
import { startProgram } from "../../test/support/program.ts";
import { makeBranches, openMergeRequests, untilCompared } from "../branches.ts";
import { addIssues } from "../fill.ts";
import { inTurns, type Contender, type Measured } from "../in-turns.ts";
import { recordReads } from "../recorded-reads.ts";
import type { Bench, Figure, Scenario, ScenarioResult } from "../scenario.ts";

const connections = 16;
const atLeast = 0.6;

/** What is read, by the name of the figure. */
async function prepare(bench: Bench): Promise<Map<string, string>> {
  const { mergeRequests, issues } = bench.size.collaboration;
  const made = await makeBranches(bench, {
    name: "collaboration-reads",
    files: mergeRequests * 2,
    branches: mergeRequests,
    commits: 1,
    changed: 2,
  });
  const [first = 0] = await openMergeRequests(bench, made, mergeRequests);
  const { number } = await addIssues(bench, made, { count: issues, body: "It does not work as it should." });
  await untilCompared(bench, made.id);
  const { path } = made;
  return new Map([
    ["list of issues", `${path}/issues`],
    ["one issue", `${path}/issues/${number}`],
    ["list of merge requests", `${path}/merge-requests`],
    ["one merge request", `${path}/merge-requests/${first}`],
  ]);
}

async function startBare(bench: Bench, paths: readonly string[]) {
  const { instance, directory, client } = bench;
  const reads = await recordReads(bench, paths);
  const file = join(directory, "same-reads.json");
  const answers = reads.map(async ({ path, queries }) => ({
    path: `/api/v1${path}`,
    queries,
    body: await client.call<unknown>("GET", path),
  }));
  await writeFile(file, JSON.stringify(await Promise.all(answers)));
  const { certFile, keyFile } = instance.certificates;
  const program = startProgram({
    name: "same-reads",
    args: ["bench/baselines/same-reads.ts", certFile, keyFile, file],
    env: { ...process.env, NODE_ENV: "production", FORGELINE_DATABASE_URL: instance.database.url },
    directory,
  });
  const port = await eventually(
    async () => /^\d+$/m.exec(await readFile(program.logFile, "utf8"))?.[0] ?? false,
  );
  return { program, port: Number(port), reads };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { instance, size } = bench;
  const places = await prepare(bench);
  const { program, port, reads } = await startBare(bench, [...places.values()]);
  const ca = await readFile(instance.certificates.caFile, "utf8");
  const headers = { Authorization: `Bearer ${instance.adminToken}` };
  const own = { port: Number(new URL(instance.url).port), pid: instance.servers[0]?.program.pid() ?? 0 };
  const contenders = [...places.values()].flatMap((path): Contender[] => {
    const target = { ca, path: `/api/v1${path}`, headers, status: 200 };
    return [
      { ...target, ...own },
      { ...target, port, pid: program.pid() },
    ];
  });
  try {
    const { warmUps, collaboration } = size;
    const measured = await inTurns(contenders, { connections, warmUps, ...collaboration.reads });
    const figures = [...places.keys()].map((what, i) =>
      figureOf(what, measured.slice(i * 2), reads[i]?.queries.length ?? 0),
    );
    return { figures, parts: [] };
  } finally {
    await program.end("SIGTERM");
  }
}

function figureOf(what: string, [ours, theirs]: readonly Measured[], statements: number): Figure {
  const ratio = (ours?.perSecond ?? 0) / (theirs?.perSecond ?? 0);
  const cost = (result: Measured | undefined) =>
    `${result?.perSecond.toFixed(0)} a second and ${result?.processorUs.toFixed(0)} µs`;
  return {
    what: `${what}: requests a second and processor time, over those of Express`,
    value: `${ratio.toFixed(2)} × (${cost(ours)} against ${cost(theirs)}; ${statements} statements)`,
    limit: { text: `≥ ${atLeast} ×`, met: ratio >= atLeast },
  };
}

export const collaborationReadsScenario: Scenario = {
  number: 33,
  title: () => `Reading issues and merge requests by REST, ${connections} connections, one server process`,
  isLong: true,
  run,
};
