/** Logs that are asked for and not read: their reader keeps no place among the requests that are worked on at a time. */
import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { logApi, type LogApi } from "./fixture.ts";

const atOnce = 2;
const openLogs = 4;
/** Longer than the other tests take. */
const idleMs = 5_000;

let api: LogApi;
beforeAll(async () => {
  api = await logApi("private", {
    env: {
      FORGELINE_REQUESTS_AT_ONCE: String(atOnce),
      FORGELINE_OPEN_LOGS: String(openLogs),
      FORGELINE_REQUEST_IDLE_MS: String(idleMs),
    },
  });
  // Each of these lines ends the one before; all of them are more than the buffers on the way take.
  const lines = 500;
  const payload = Buffer.from(`\n${"x".repeat(99)}`.repeat(lines));
  const begun = api.step.toString("latin1").split("\n").length - 1;
  for (let n = 0; n < 640; n += 1)
    await api.server.container.pipelines.logs.ingest.append(api.stepStream, {
      channel: 1,
      offset: api.step.length + n * payload.length,
      firstLine: begun + n * lines,
      rawLength: payload.length,
      compressed: false,
      timeRuns: [{ lines, timeMs: 0 }],
      payload,
    });
});
afterAll(() => api?.server.stop());

/** Resolves once each has been answered, or refused; nobody reads. */
async function open(count: number): Promise<{ calls: ClientRequest[]; answers: IncomingMessage[] }> {
  const { server, owner, path } = api;
  const headers = { Authorization: `Bearer ${owner.token}` };
  const calls = Array.from({ length: count }, () => {
    const address = `${server.baseUrl}${path}/logs?format=text`;
    const call = request(address, { ca: server.ca, agent: false, headers });
    call.on("error", () => undefined);
    call.end();
    return call;
  });
  const answers = await Promise.all(calls.map(async (call) => (await once(call, "response"))[0]));
  return { calls, answers: answers as IncomingMessage[] };
}

/** Holds every place: the server may not have seen yet that those of an earlier test were given up. */
function openAll(): ReturnType<typeof open> {
  return eventually(async () => {
    const opened = await open(openLogs);
    if (opened.answers.every(({ statusCode }) => statusCode === 200)) return opened;
    for (const call of opened.calls) call.destroy();
    return undefined;
  });
}

async function requests(state: "running" | "waiting"): Promise<number> {
  const text = await api.server.container.platform.metrics.metrics();
  const line = text.split("\n").find((each) => each.startsWith(`forgeline_http_requests{state="${state}"}`));
  return Number(line?.split(" ").at(-1));
}

test("who reads logs slowly is answered meanwhile", async () => {
  const { calls, answers } = await open(atOnce + 1);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const { server, owner, path } = api;
  expect((await server.api("GET", `${path}/logs?tail=1`, { token: owner.token })).status).toBe(200);
  for (const call of calls) call.destroy();
});

test("logs that are read at once take turns, so that others have the database, too", async () => {
  const bob = await api.server.person("bob");
  const { calls, answers } = await openAll();
  const owner = new pg.Client({ connectionString: api.server.database.ownerUrl });
  await owner.connect();
  try {
    await owner.query("begin; lock table log_chunks in access exclusive mode");
    for (const answer of answers) answer.on("error", () => undefined).resume();
    await eventually(async () => (await requests("waiting")) === openLogs - atOnce);
    expect(await requests("running")).toBe(atOnce);
    expect((await api.server.api("GET", "/user", { token: bob.token })).status).toBe(200);
  } finally {
    await owner.end();
  }
  for (const call of calls) call.destroy();
  await eventually(async () => (await requests("running")) + (await requests("waiting")) === 0);
});

test("a log that is read counts as open", async () => {
  const { calls } = await openAll();
  const refused = await open(1);
  expect(refused.answers[0]).toMatchObject({ statusCode: 429, headers: { "retry-after": "5" } });
  for (const call of [...calls, ...refused.calls]) call.destroy();
});

test("what nobody reads ends, so that others can be opened", async () => {
  const { calls } = await openAll();
  const status = async () => {
    const [answer] = (await open(1)).answers;
    answer?.on("error", () => undefined).destroy();
    return answer?.statusCode;
  };
  expect(await status()).toBe(429);
  await eventually(async () => (await status()) === 200, { timeoutMs: 4 * idleMs });
  for (const call of calls) call.destroy();
});
