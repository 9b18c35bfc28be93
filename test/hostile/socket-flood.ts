/**
 * Rows 74 and 80 of security.md at full size: each kind of message that a viewer or a runner can send, poured into a server
 * as fast as it goes, over new connections whenever one is closed. Prints a row a kind: how the connections ended, how much
 * memory the server kept, and how long others waited.
 *
 *   node test/hostile/socket-flood.ts [--messages 1000000] [--seconds 10] [--only KIND,…]
 *
 * A kind ends once so many messages were handed over, or its seconds are up: whoever is closed cannot hand over more. Exit
 * status 1 when memory grew by more than 2 MB, a connection ended without a reason, or the 99th hundredth of the others'
 * answers, of all kinds of one socket, took more than twice as long as while the same machine made the same messages and sent
 * them nowhere, or one answer took over a second.
 */
import { parseArgs } from "node:util";
import {
  hashCredential,
  newRunnerCredential,
} from "@forgeline/server/domains/pipelines/runners/credential.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { withBed } from "../chaos/chaos-bed.ts";
import { logApi, type LogApi } from "../integration/api/logs/fixture.ts";
import { insertAttempt } from "../integration/runner-hub/queued-attempt.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { ProtocolRunner } from "../support/protocol-runner.ts";
import { runnerFloods, viewerFloods } from "./frames.ts";
import { othersWhile } from "./other-requests.ts";
import { startPourer, type Poured, type Task } from "./pourer.ts";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "10" },
    only: { type: "string" },
  },
});
const messages = Number(values.messages);
const seconds = Number(values.seconds);
if (!Number.isInteger(messages) || messages < 1 || !(seconds > 0))
  throw new Error("--messages takes a whole number, --seconds a number");

const maxGrowth = 2 * 1024 * 1024;
const maxSlower = 2;
/** Of who asks one after the other, a standstill of seconds is one wait among hundreds. */
const maxMs = 1_000;
/** Of whoever does not flood; see `no-rate-limits.ts`. */
const limits = {
  FORGELINE_LIMIT_SOCKETS: "600",
  FORGELINE_OPEN_LOGS: "100",
  FORGELINE_OPEN_LOGS_UNAUTHENTICATED: "50",
};

function keptBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function p99(waits: readonly number[]): number {
  return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
}

/** How long somebody waits who looks at a run meanwhile, and what the work gave. */
function waitsWhile<T>({ server, path, owner }: LogApi, work: () => Promise<T>) {
  const { baseUrl, ca } = server;
  const other = { baseUrl, ca, token: owner.token, paths: [`${path}/logs?tail=1`] };
  return othersWhile(other, work);
}

async function newRunner({ server }: LogApi): Promise<string> {
  const credential = newRunnerCredential();
  await server.container.platform.db.query(
    "insert into runners (id, name, credential_hash) values ($1, $2, $3)",
    [newId("rnr"), "hostile", hashCredential(credential)],
  );
  return credential;
}

/** Makes a task anew: a runner is out of favour after one flood, and leases end. */
type TaskMaker = () => Promise<Task>;

function tasksFor(api: LogApi): TaskMaker[] {
  const { webUrl, baseUrl, ca } = api.server;
  const common = { ca, messages, milliseconds: seconds * 1_000, streamId: api.stepStream, held: null };
  const sockets = baseUrl.replace("https:", "wss:");
  const viewer = { ...common, socket: "viewer" as const, url: `${sockets}${api.path}/logs/stream` };
  const runner = { ...common, socket: "runner" as const, url: `${sockets}/runners/connect` };
  const asked = values.only?.split(",");
  const kindsOf = (floods: object) =>
    Object.keys(floods).filter((kind) => asked === undefined || asked.includes(kind));
  const asRunner = async (kind: string, held: typeof takeLease | null): Promise<Task> => {
    const credential = await newRunner(api);
    const headers = { authorization: `Bearer ${credential}` };
    return { ...runner, kind, headers, held: held && (await held(api, runner.url, credential)) };
  };
  return [
    ...kindsOf(viewerFloods("")).map((kind) => async () => ({
      ...viewer,
      kind,
      headers: { origin: webUrl },
    })),
    ...kindsOf(runnerFloods()).map((kind) => () => asRunner(kind, null)),
    ...kindsOf(runnerFloods({ attemptId: "", epoch: 1, channel: 0 })).map(
      (kind) => () => asRunner(kind, takeLease),
    ),
  ];
}

let runNumber = 1_000;

/** The runner is gone again; its lease waits for it. */
async function takeLease(
  { server, run: { repositoryId }, owner }: LogApi,
  url: string,
  credential: string,
): Promise<NonNullable<Task["held"]>> {
  const number = ++runNumber;
  const labels = [`flood-${number}`];
  const runner = new ProtocolRunner({ url, ca: server.ca, credential, labels });
  await runner.hello();
  await insertAttempt(server.container.platform.db, {
    repositoryId,
    userId: owner.id,
    number,
    labels,
    job: {},
  });
  const { attemptId, epoch, streams } = await runner.acceptNext();
  runner.vanish();
  return { attemptId, epoch, channel: streams[0]!.channel, instanceId: runner.instanceId };
}

interface Row {
  task: Task;
  poured: Poured;
  grown: number;
  /** Of others, in milliseconds: while the messages were made and sent nowhere, and while they were sent. */
  quiet: number[];
  flood: number[];
}

/** What was closed is gone after its time to say goodbye, and what garbage there is has been found. */
async function settledBytes(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  keptBytes();
  return keptBytes();
}

async function measure(api: LogApi, make: TaskMaker): Promise<Row> {
  const task = await make();
  const { times: quiet } = await waitsWhile(api, () => startPourer({ ...task, url: null }));
  const before = await settledBytes();
  const { times: flood, result: poured } = await waitsWhile(api, () => startPourer(task));
  return { task, poured, grown: (await settledBytes()) - before, quiet, flood };
}

function problemsOf({ task, poured, grown, flood }: Row): string[] {
  const problems: string[] = [];
  if (grown > maxGrowth) problems.push("memory grew");
  if (poured.ends["1006"] !== undefined) problems.push("closed without a reason");
  // What is said of a lease is worked off as fast as it goes, and the close waits behind it.
  if (poured.ends["given up"] !== undefined && !task.held) problems.push("a close was not answered");
  if (poured.sent === 0) problems.push("nothing was sent");
  if (Math.max(...flood) > maxMs) problems.push("somebody waited for over a second");
  return problems;
}

function print(row: Row): void {
  const { task, poured, grown, quiet, flood } = row;
  const ends = Object.entries(poured.ends).map(([end, count]) => `${count}×${end}`);
  const waits = `p99 ${p99(quiet).toFixed(1)} → ${p99(flood).toFixed(1)} ms`;
  const memory = `${(grown / 1024 / 1024).toFixed(2)} MB`;
  const verdict = problemsOf(row).join(", ") || "good";
  const kind = `${task.kind}${task.held ? " of a lease" : ""}`;
  console.log(
    `${task.socket}: ${kind} | ${poured.sent} sent | ${ends.join(" ")} | ${memory} | ${waits} | ${verdict}`,
  );
}

/** Of all kinds of one socket together: of one kind alone the 99th hundredth is the third or fourth longest wait. */
function othersWaited(socket: Task["socket"], rows: readonly Row[]): boolean {
  const ofSocket = rows.filter(({ task }) => task.socket === socket);
  if (ofSocket.length === 0) return false;
  const quietMs = p99(ofSocket.flatMap(({ quiet }) => quiet));
  const floodMs = p99(ofSocket.flatMap(({ flood }) => flood));
  const factor = floodMs / quietMs;
  const waits = `p99 ${quietMs.toFixed(1)} → ${floodMs.toFixed(1)} ms, ${factor.toFixed(2)} ×`;
  console.log(`${socket}, all kinds | ${waits} | ${factor > maxSlower ? "others waited too long" : "good"}`);
  return factor > maxSlower;
}

let isBad = false;
await withBed(console.log, async () => {
  const api = await logApi("public", { env: limits });
  try {
    const makers = tasksFor(api);
    // The first connections load code and fill caches that stay.
    for (const make of makers)
      await startPourer({ ...(await make()), messages: Math.min(messages, 2_000), milliseconds: 500 });
    const rows: Row[] = [];
    for (const make of makers) {
      const row = await measure(api, make);
      rows.push(row);
      print(row);
      isBad ||= problemsOf(row).length > 0;
    }
    for (const socket of ["viewer", "runner"] as const) isBad = othersWaited(socket, rows) || isBad;
  } finally {
    await api.server.stop();
  }
});
process.exit(isBad ? 1 : 0);
