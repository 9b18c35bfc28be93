/**
 * Row 34: whatever happens to a run while somebody approves it, its jobs start only if enough people who may approve have approved this
 * run as it is now: cancelled, run again, too late, without one of the approvers, or followed by a push.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import { createWorkflowWorker, type WorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import "../support/quiet-temporal.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { bundleCache } from "../support/bundle-cache.ts";
import { counted } from "../support/counted.ts";
import { eventually } from "../support/eventually.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { isFull, seed, size } from "../support/size.ts";

const rounds = size(1, 100);
const random = seededRandom(seed);

const file = `
jobs:
  ship: { image: busybox, approval: { approvers: acme/release, count: 2 }, steps: ["true"] }
`;

let server: ApiServer;
let worker: WorkflowWorker;
let running: Promise<void>;
let ada: TestPerson;
let ben: TestPerson;
let cleo: TestPerson;
beforeAll(async () => {
  const taskQueue = `test-approval-races-${process.pid}`;
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: taskQueue } });
  worker = await createWorkflowWorker({
    address: server.config.temporal.address,
    taskQueue,
    bundle: await workflowBundle(bundleCache),
    services: {
      runs: server.container.pipelines.runs,
      ...server.container.upkeep,
      statistics: server.container.hosting.statistics,
    },
  });
  running = worker.run();
  [ada, ben, cleo] = [
    await server.person("ada", { isAdmin: true }),
    await server.person("ben"),
    await server.person("cleo"),
  ];
  await done(send("POST", "/orgs", { name: "acme" }));
  await done(send("POST", "/orgs/acme/teams", { name: "release" }));
  await done(send("POST", "/repos", { owner: "acme", name: "app" }));
  await done(send("PUT", "/orgs/acme/teams/release/repos/app", { permission: "read" }));
  for (const { username } of [ben, cleo]) {
    await done(send("PUT", `/orgs/acme/members/${username}`, { role: "member" }));
    await joins(username);
  }
  await push(".forgeline.yml", file);
});
afterAll(async () => {
  worker?.shutdown();
  await running;
  await server?.stop();
});

const send = (method: string, path: string, body?: object, { token }: TestPerson = ada) =>
  server.api(method, path, { token, ...(body && { body }) });
async function done(sent: ReturnType<typeof send>) {
  const answer = await sent;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}
const joins = (username: string) =>
  done(send("PUT", `/orgs/acme/teams/release/members/${username}`, { role: "member" }));
const push = (path: string, text: string) => {
  const content = Buffer.from(text).toString("base64");
  return done(
    send("PUT", `/repos/acme/app/contents/${path}`, { message: "change", content, branch: "main" }),
  );
};

const base = "/repos/acme/app/pipelines";
const patience = { timeoutMs: 50_000 };
interface Shown {
  id: string;
  number: number;
  status: string;
  sequence: number;
  approvals: { state: string; sequence: number; approvals: { counts: boolean; decision: string }[] }[];
}
const show = async (number: number) => (await done(send("GET", `${base}/${number}`))).json as Shown;
/** Once it waits for people. */
const waiting = (number: number) =>
  eventually(async () => {
    const run = await show(number);
    return run.approvals.at(-1)?.state === "open" && run.status === "awaiting_approval" && run;
  }, patience);
/** Once nothing goes on in it. */
const over = (number: number) =>
  eventually(async () => {
    const run = await show(number);
    return ["success", "failed", "cancelled", "error"].includes(run.status) && run;
  }, patience);

async function begin(): Promise<Shown> {
  const { json } = await done(send("POST", base, { ref: "main" }));
  return waiting(json.number);
}
const approve = (number: number, person: TestPerson) =>
  send("POST", `${base}/${number}/approvals`, { job: "ship", decision: "approve" }, person);
const cancel = (number: number) => send("POST", `${base}/${number}/cancel`, { force: true });

/** What happens at the same time. */
const others: Record<string, (run: Shown) => Promise<unknown>> = {
  "a cancellation": (run) => cancel(run.number),
  "a rerun": (run) => done(send("POST", `${base}/${run.number}/rerun`, { from: "all" })),
  "the end of its time": (run) =>
    server.container.platform.db.query(
      "update approval_gates set expires_at = clock_timestamp() where pipeline_id = $1",
      [run.id],
    ),
  "an approver who leaves": () => done(send("DELETE", `/orgs/acme/teams/release/members/${cleo.username}`)),
  "a push": ({ number }) => push(`of-${number}`, "x"),
};

const attemptsOf = ({ id }: Shown) =>
  server.container.platform.db.query("select from job_attempts where pipeline_id = $1", [id]);

type Answer = Awaited<ReturnType<typeof approve>>;

/** Cleo has approved; now Ben does, and the other thing happens. Whether the job started. */
async function race(what: string, happens: (run: Shown) => Promise<unknown>): Promise<boolean> {
  const run = await begin();
  expect((await approve(run.number, cleo)).status).toBe(200);
  if (what === "a rerun") {
    await done(cancel(run.number));
    await over(run.number);
  }
  let given: Answer | undefined;
  const both = [
    async () => {
      given = await approve(run.number, ben);
    },
    () => happens(run),
  ];
  if (random() < 0.5) both.reverse();
  await Promise.all(both.map((start) => start()));
  const isPassed = given?.json.state === "approved";
  if (isPassed && what !== "a cancellation") await eventually(async () => (await attemptsOf(run)).length > 0);
  if (what === "an approver who leaves") await joins(cleo.username);
  if (what === "a rerun") await waiting(run.number);
  if (what === "a push") await pushedRunWaits(run);
  // Whatever was to come of it has come when the run is over.
  await cancel(run.number);
  await over(run.number);
  const gate = (await show(run.number)).approvals.at(-1);
  expect([what, gate?.state === "approved"]).toEqual([what, isPassed]);
  const valid = gate?.approvals.filter(({ counts, decision }) => counts && decision === "approve") ?? [];
  expect(valid.length).toBeGreaterThanOrEqual(isPassed ? 2 : 0);
  const hasStarted = (await attemptsOf(run)).length > 0;
  expect(isPassed || !hasStarted).toBe(true);
  return hasStarted;
}

/** The approvals of one run are nobody's of another. */
async function pushedRunWaits(before: Shown): Promise<void> {
  const [latest] = (await done(send("GET", `${base}?per_page=1`))).json as Shown[];
  expect(latest?.number).toBeGreaterThan(before.number);
  const run = await waiting(latest?.number ?? 0);
  expect(run.approvals.at(-1)?.approvals).toEqual([]);
  await cancel(run.number);
  await over(run.number);
  expect(await attemptsOf(run)).toEqual([]);
}

test(`a job starts only as it was approved, in ${rounds} races with each of ${Object.keys(others).length} others (seed ${seed})`, async (context) => {
  const starts = Object.fromEntries(Object.keys(others).map((what) => [what, 0]));
  for (let round = 0; round < rounds; round += 1)
    for (const [what, happens] of Object.entries(others))
      if (await race(what, happens)) starts[what] = (starts[what] ?? 0) + 1;
  counted(context, starts);
  expect(starts["a push"]).toBe(rounds);
  expect(starts["a rerun"]).toBe(0);
  // One of each may end this way or that.
  if (!isFull) return;
  for (const what of ["the end of its time", "an approver who leaves"]) {
    expect(starts[what]).toBeGreaterThan(0);
    expect(starts[what]).toBeLessThan(rounds);
  }
});
