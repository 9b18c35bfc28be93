/** How many logs people have open, and how often they open them: each for themselves, whatever address they share. */
import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { watchLogs } from "@forgeline/client/watch-logs.ts";
import { logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { connectViewer, type TestViewer } from "../../../support/log-viewer.ts";
import { logApi, type LogApi } from "./fixture.ts";

const usual = {
  FORGELINE_LIMIT_CORE: "5000",
  FORGELINE_LIMIT_UNAUTHENTICATED: "60",
  FORGELINE_LIMIT_SOCKETS: "600",
  FORGELINE_OPEN_LOGS: "100",
  FORGELINE_OPEN_LOGS_UNAUTHENTICATED: "50",
};
let log: LogApi;
/** One server for each test: what is open is counted by each for itself. */
let narrow: ApiServer;
let strict: ApiServer;
beforeAll(async () => {
  log = await logApi("public", { env: usual });
  const beside = log.server;
  [narrow, strict] = await Promise.all([
    startApiServer({
      env: { ...usual, FORGELINE_OPEN_LOGS: "2", FORGELINE_OPEN_LOGS_UNAUTHENTICATED: "1" },
      beside,
    }),
    startApiServer({ env: { ...usual, FORGELINE_LIMIT_SOCKETS: "50" }, beside }),
  ]);
});
afterAll(async () => {
  await strict?.stop();
  await narrow?.stop();
  await log?.server.stop();
});

type Opening = { person?: TestPerson; protocols?: string[] };

/** As a browser does without a person, as a program does with one. */
function open(server: ApiServer, { person, protocols }: Opening = {}): TestViewer {
  const url = `${server.baseUrl.replace("https:", "wss:")}${log.path}/logs/stream`;
  const headers: Record<string, string> = person
    ? { Authorization: `Bearer ${person.token}` }
    : { Origin: server.webUrl };
  return connectViewer(url, { headers, ca: server.ca, protocols: protocols ?? [logWatchProtocol] });
}

async function openByTicket(server: ApiServer, person: TestPerson): Promise<TestViewer> {
  const answer = await server.api("POST", `${log.path}/logs/stream-tickets`, { token: person.token });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return open(server, { protocols: answer.json.protocols });
}

/** Its first message says that it was let in. */
async function shows({ messages, socket, closed }: TestViewer): Promise<void> {
  const refused = closed.then(({ code }) => Promise.reject(new Error(`it was closed with ${code}`)));
  if (messages.length === 0) await Promise.race([once(socket, "message"), refused]);
  expect(messages[0]?.t).not.toBe("busy");
}

async function refusal(viewer: TestViewer): Promise<{ status: number; retryAfter: number }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; retryAfter: number }>();
  void viewer.opened.then(() => resolve({ status: 101, retryAfter: 0 }));
  viewer.socket.on("unexpected-response", (_request, { statusCode = 0, headers }) =>
    resolve({ status: statusCode, retryAfter: Number(headers["retry-after"] ?? 0) }),
  );
  const refused = await promise;
  viewer.socket.terminate();
  return refused;
}

/** Why there is no room, and the milliseconds that it waits. */
async function whatTheCommandLineHears(person: TestPerson): Promise<string> {
  const controller = new AbortController();
  const [owner = "", repo = "", pipeline = ""] = log.path.replace("/repos/", "").split(/\/pipelines\/|\//);
  const { promise, resolve } = Promise.withResolvers<string>();
  const watching = watchLogs(
    {
      baseUrl: narrow.baseUrl,
      owner,
      repo,
      pipeline,
      token: person.token,
      ca: narrow.ca,
      signal: controller.signal,
    },
    { onBusy: (delayMs, why) => resolve(`${why} ${delayMs}`) },
  );
  const heard = await promise;
  controller.abort();
  await watching.catch(() => undefined);
  return heard;
}

it("lets an office of three watch 200 logs from one address, at nobody's cost", async () => {
  const { server } = log;
  const people = await Promise.all(["ann", "ben", "cleo"].map((name) => server.person(name)));
  const viewers: TestViewer[] = [];
  const shown: Promise<void>[] = [];
  const openOneByOne = async (person: TestPerson) => {
    while (viewers.length < 200) {
      const viewer = await openByTicket(server, person);
      viewers.push(viewer);
      shown.push(shows(viewer));
    }
  };
  await Promise.all(people.map(openOneByOne));
  await Promise.all(shown);
  for (const token of [undefined, ...people.map((person) => person.token)]) {
    const { json } = await server.api("GET", "/rate_limit", token === undefined ? {} : { token });
    const limits: { resource: string }[] = json.resources;
    expect(limits.find(({ resource }) => resource === "core")).toMatchObject({ used: 0 });
  }
  for (const viewer of viewers) viewer.socket.terminate();
});

it("refuses what is past the most with a time, in words for browsers, and takes it when one was closed", async () => {
  const dora = await narrow.person("dora");
  const first = await openByTicket(narrow, dora);
  const second = open(narrow, { person: dora });
  await Promise.all([shows(first), shows(second)]);
  expect(await refusal(open(narrow, { person: dora }))).toEqual({ status: 429, retryAfter: 5 });
  const third = await openByTicket(narrow, dora);
  expect(await third.closed).toEqual({ code: 4430, reason: "too many logs are open" });
  expect(third.messages).toEqual([
    {
      t: "busy",
      message: "You have 2 logs open, which is the limit. Close one to open another.",
      retry_after: 5,
    },
  ]);
  expect(await whatTheCommandLineHears(dora)).toMatch(/^You have 2 logs open, .* [56]\d{3}$/);
  expect(await narrow.container.platform.metrics.metrics()).toContain(
    'forgeline_open_logs_refused_total{whose="user"} 3',
  );
  first.socket.close();
  await eventually(async () => {
    const again = await openByTicket(narrow, dora);
    await eventually(() => again.messages.length > 0);
    return again.messages[0]?.t !== "busy";
  });
  // Others have their own places, and who says nothing of themselves those of their address.
  await shows(open(narrow, { person: await narrow.person("emil") }));
  await shows(open(narrow));
  expect(await open(narrow).closed).toMatchObject({ code: 4430 });
});

it("refuses a flood of invented tickets, and those beside it see nothing of that", async () => {
  const person = await strict.person("fay");
  await log.server.container.platform.db.query("delete from rate_limit_windows");
  const kept = await strict.api("POST", `${log.path}/logs/stream-tickets`, { token: person.token });
  const invented = (n: number) => [logWatchProtocol, `ticket.${String(n).padStart(43, "A")}`];
  const answers = [];
  for (let n = 0; n < 12; n++) answers.push(await refusal(open(strict, { protocols: invented(n) })));
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array<number>(5).fill(401),
    ...Array<number>(7).fill(429),
  ]);
  expect(answers.at(-1)?.retryAfter).toBeGreaterThan(0);
  expect((await refusal(open(strict))).status).toBe(429);
  await shows(open(strict, { protocols: kept.json.protocols }));
  await shows(open(strict, { person }));
});

it("tells an invented ticket from a real one without asking the database", async () => {
  const invented = { protocols: [logWatchProtocol, `ticket.${"B".repeat(43)}`] };
  const owner = new pg.Client({ connectionString: log.server.database.ownerUrl });
  await owner.connect();
  try {
    await owner.query("begin; lock table log_stream_tickets in access exclusive mode");
    expect((await refusal(open(log.server, invented))).status).toBe(401);
  } finally {
    await owner.end();
  }
});
