/**
 * R23: among a thousand good runs are some that the database always refuses, a webhook whose receiver always fails, and a runner whose
 * frames cannot be read. The good ones are neither lost nor held up; the bad ones are tried a bounded number of times and are listed.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { localJson } from "@forgeline/launcher/https-client.ts";
import { runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";
import { eventually } from "../../../support/eventually.ts";
import { refuseAttempts } from "../../../support/refused-attempts.ts";
import { accepting, refusing, startReceiver, type Receiver } from "../../../support/webhook-receiver.ts";
import type { Count, Round, Scenario } from "../../scenario.ts";
import { countRuns, triggerMany, untilEnded } from "./many-runs.ts";
import { openQueueWorld, type QueueWorld, type Started } from "./world.ts";

const goodRuns = 1_000;
/** As many before, with nothing bad beside them, say how long one takes. */
const plainRuns = 200;
const badRuns = 20;
/** Each frame that cannot be read ends its connection. */
const restMs = 200;
const patienceMs = 600_000;
const badPath = "/bad";
const goodPath = "/good";

const ids = (runs: readonly Started[]) => runs.map(({ id }) => id);

interface BadRunner {
  /** How often the server ended its connection. */
  ended(): number;
  stop(): Promise<void>;
}

/** Connects again and again, and says what is no message of the protocol. */
async function startBadRunner({ call, instance }: QueueWorld): Promise<BadRunner> {
  const { token } = await call<{ token: string }>("POST", "/runners/registration-tokens", {});
  const ca = await readFile(instance.certificates.caFile, "utf8");
  const registered = await localJson<{ credential: string; connect_url: string }>(
    `${instance.url}/api/v1/runners/register`,
    {
      caFile: instance.certificates.caFile,
      method: "POST",
      body: { token, name: "bad", labels: ["bad"], capacity: 1 },
    },
  );
  let ended = 0;
  let isStopped = false;
  const once = () =>
    new Promise<void>((resolve) => {
      const socket = new WebSocket(registered.connect_url, [runnerSubprotocol], {
        ca,
        headers: { authorization: `Bearer ${registered.credential}` },
      });
      socket.on("open", () => socket.send(Buffer.from([255, 0, 1, 2, 3])));
      socket.on("error", () => undefined);
      socket.on("close", () => {
        ended += 1;
        resolve();
      });
    });
  const loop = async () => {
    while (!isStopped) {
      await once();
      await sleep(restMs);
    }
  };
  const running = loop();
  return {
    ended: () => ended,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

interface Played {
  /** How long a good run took, times as long as one with nothing bad beside it. */
  slowdown: number;
  good: Started[];
  bad: Started[];
  tries: number;
  connections: number;
  told: number;
  badDeliveries: { status: string; attempts: number }[];
}

/** Of so many at once; each takes its share of all. */
async function msOfRun(world: QueueWorld, count: number): Promise<number> {
  const began = performance.now();
  const runs = await triggerMany(world, "busy", count);
  await untilEnded(world, ids(runs), patienceMs);
  return (performance.now() - began) / count;
}

async function play(world: QueueWorld, receiver: Receiver): Promise<Played> {
  const { call, instance, rows } = world;
  receiver.answer = (request, ...rest) =>
    request.path === badPath ? refusing(500)(request, ...rest) : accepting(request, ...rest);
  const hook = (path: string) =>
    call<{ id: string }>("POST", "/repos/admin/busy/webhooks", {
      url: `${receiver.url}${path}`,
      events: ["pipeline"],
    });
  const goodHook = await hook(goodPath);
  const plainMs = await msOfRun(world, plainRuns);
  const hooks = { bad: await hook(badPath), good: goodHook };
  const { id } = await call<{ id: string }>("GET", "/repos/admin/poisoned");
  const refusal = await refuseAttempts(instance.database.ownerUrl, id, "22P05");
  const runner = await startBadRunner(world);
  try {
    const began = performance.now();
    const [good, bad] = await Promise.all([
      triggerMany(world, "busy", goodRuns),
      triggerMany(world, "poisoned", badRuns),
    ]);
    await untilEnded(world, ids(good), patienceMs);
    const slowdown = (performance.now() - began) / goodRuns / plainMs;
    await untilEnded(world, ids(bad), patienceMs);
    const told = () => toldOf(receiver, good);
    await eventually(() => told() === good.length, { timeoutMs: 60_000 }).catch(() => undefined);
    const badDeliveries = await rows<{ status: string; attempts: number }>(
      "select status, attempts_count as attempts from webhook_deliveries where webhook_id = $1",
      [hooks.bad.id],
    );
    const tries = await refusal.tries();
    return { slowdown, good, bad, tries, connections: runner.ended(), told: told(), badDeliveries };
  } finally {
    await runner.stop();
    await refusal.lift();
    for (const each of Object.values(hooks)) await call("DELETE", `/repos/admin/busy/webhooks/${each.id}`);
  }
}

/** Runs whose end arrived at the receiver that accepts. */
function toldOf(receiver: Receiver, runs: readonly Started[]): number {
  const ended = receiver.received
    .filter(({ path }) => path === goodPath)
    .map(({ json }) => json["pipeline"] as { id: string; finished_at: string | null })
    .filter(({ finished_at }) => finished_at !== null);
  const known = new Set(ended.map(({ id }) => id));
  return runs.filter(({ id }) => known.has(id)).length;
}

async function judge(world: QueueWorld, played: Played): Promise<Round> {
  const { slowdown, good, bad, tries, connections, told, badDeliveries } = played;
  const found = await countRuns(world, ids(good));
  const listed = await world.rows<{ id: string }>(
    "select id from pipelines where id = any($1) and status = 'error' and reason like 'internal:%'",
    [ids(bad)],
  );
  const counts: Record<string, Count> = {
    "good runs that did not succeed": { bad: good.length - found.success, total: good.length },
    "good runs that nobody was told of": { bad: good.length - told, total: good.length },
    "bad runs that are not shown as our own error": { bad: bad.length - listed.length, total: bad.length },
  };
  const problems = Object.entries(counts)
    .filter(([, count]) => count.bad > 0)
    .map(([property, count]) => `${property}: ${count.bad}`);
  if (badDeliveries.length === 0) problems.push("what the failing receiver did not take is not listed");
  return {
    verdict: problems.length > 0 ? "bad" : "good",
    counts,
    measures: {
      "times as long as without them": Math.round(slowdown * 100) / 100,
      "tries of a bad run": Math.ceil(tries / bad.length),
      "most tries of a delivery so far": Math.max(0, ...badDeliveries.map(({ attempts }) => attempts)),
      "connections of the bad runner": connections,
    },
    fault: `${bad.length} runs that are refused, a receiver that fails, ${connections} connections that say nonsense`,
    problems,
  };
}

export const poison: Scenario = {
  row: "R23",
  name: "poison",
  promise:
    "A thousand good runs among some that always fail within us, a receiver that never accepts and a runner that says nonsense: the good ones are as ever, the bad ones are tried a few times and listed",
  async open() {
    const world = await openQueueWorld();
    // Its certificate is that of the bed, which is the world's own by now.
    const receiver = await startReceiver();
    return {
      round: async () => judge(world, await play(world, receiver)),
      async close() {
        const left = await world.close();
        await receiver.close();
        return left;
      },
    };
  },
};
