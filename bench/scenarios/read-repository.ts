/** `GET /repos/{owner}/{repo}` with all that a real request needs, against a bare route that reads the same row. */
import { readFile } from "node:fs/promises";
import { eventually } from "../../test/support/eventually.ts";
import { startProgram } from "../../test/support/program.ts";
import { inTurns, type Measured } from "../in-turns.ts";
import type { Bench, Figure, Scenario, ScenarioResult } from "../scenario.ts";

const connections = 16;
const atLeast = 0.6;
const p99OverMedian = 10;

async function startBare({ instance, directory, sshPort }: Bench) {
  const { certFile, keyFile } = instance.certificates;
  const program = startProgram({
    name: "bare-express",
    args: ["bench/baselines/bare-express.ts", certFile, keyFile, instance.url, String(sshPort)],
    env: { ...process.env, NODE_ENV: "production", FORGELINE_DATABASE_URL: instance.database.url },
    directory,
  });
  const port = await eventually(
    async () => /^\d+$/m.exec(await readFile(program.logFile, "utf8"))?.[0] ?? false,
  );
  return { program, port: Number(port) };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { instance, repository } = bench;
  const bare = await startBare(bench);
  const ca = await readFile(instance.certificates.caFile, "utf8");
  const path = `/api/v1${repository.path}`;
  const headers = { Authorization: `Bearer ${instance.adminToken}` };
  const port = Number(new URL(instance.url).port);
  const full = { port, ca, path, headers, status: 200, pid: instance.servers[0]?.program.pid() ?? 0 };
  await untilMeasured(bench, repository.path);
  const etag = await fetchEtag(bench, repository.path);
  const contenders = [
    full,
    { ...full, port: bare.port, pid: bare.program.pid(), headers: {} },
    { ...full, status: 304, headers: { ...headers, "If-None-Match": etag } },
  ];
  try {
    const { warmUps, load } = bench.size;
    const [ours, theirs, unchanged] = (await inTurns(contenders, { connections, warmUps, ...load })) as [
      Measured,
      Measured,
      Measured,
    ];
    if (ours.body !== theirs.body) throw new Error(`the bodies differ: ${ours.body} ${theirs.body}`);
    return { figures: figures(ours, theirs, unchanged), parts: [] };
  } finally {
    await bare.program.end("SIGTERM");
  }
}

function figures(ours: Measured, theirs: Measured, unchanged: Measured): Figure[] {
  const ratio = ours.perSecond / theirs.perSecond;
  const spread = ours.p99Ms / ours.medianMs;
  const rate = (result: Measured) => `${result.perSecond.toFixed(0)} a second`;
  const cost = (result: Measured) => `${result.processorUs.toFixed(0)} µs`;
  return [
    {
      what: "requests a second, over the bare route's",
      value: `${ratio.toFixed(2)} × (${rate(ours)} against ${rate(theirs)})`,
      limit: { text: `≥ ${atLeast} ×`, met: ratio >= atLeast },
    },
    {
      what: "99th percentile over median",
      value: `${spread.toFixed(1)} × (${ours.p99Ms.toFixed(1)} ms over ${ours.medianMs.toFixed(1)} ms; bare ${theirs.p99Ms.toFixed(1)} over ${theirs.medianMs.toFixed(1)})`,
      limit: { text: `< ${p99OverMedian} ×`, met: spread < p99OverMedian },
    },
    {
      what: "processor time of a 304, against a 200",
      value: `${cost(unchanged)} against ${cost(ours)} (${rate(unchanged)}; bare ${cost(theirs)})`,
      limit: { text: "less", met: unchanged.processorUs < ours.processorUs },
    },
  ];
}

/** Its size comes some seconds after the push, and changes what is shown. */
async function untilMeasured({ client }: Bench, path: string): Promise<void> {
  const isMeasured = async () => (await client.call<{ size_kb: number }>("GET", path)).size_kb > 0;
  await eventually(isMeasured, { timeoutMs: 60_000, intervalMs: 500 });
}

async function fetchEtag({ client }: Bench, path: string): Promise<string> {
  const { etag } = await client.headers(path);
  if (etag === undefined) throw new Error(`${path} has no ETag`);
  return etag;
}

export const readRepositoryScenario: Scenario = {
  number: 7,
  title: () => `Reading one repository by REST, ${connections} connections, one server process`,
  run,
};
