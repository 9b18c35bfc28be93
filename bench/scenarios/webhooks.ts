/** Webhooks: from an event to the receiver, how many a second, and what a dead endpoint does to others. */
import { eventually } from "../../test/support/eventually.ts";
import { startReceiver, type Receiver } from "../../test/support/webhook-receiver.ts";
import { countOf } from "../size.ts";
import type { Bench, Figure, Scenario, ScenarioResult } from "../scenario.ts";
import { median, quantile } from "../statistics.ts";

const firstByteAtMostMs = 60;
const aSecondAtLeast = 300;
const deadAtMost = 1.5;
/** Webhooks among which the deliveries are divided. */
const endpoints = 10;

interface Place {
  id: string;
  path: string;
}

async function repository({ client, instance }: Bench, name: string): Promise<Place> {
  const { id } = await client.call<{ id: string }>("POST", "/repos", { name });
  return { id, path: `/repos/${instance.adminName}/${name}` };
}

const hook = ({ client }: Bench, { path }: Place, url: string) =>
  client.call("POST", `${path}/webhooks`, { url, events: ["repository"] });

/** So many events at once, as if as many had changed the repository; the last one is real and wakes who follows. */
async function addEvents({ database, client }: Bench, { id, path }: Place, count: number): Promise<void> {
  await client.call("PATCH", path, { description: "first" });
  await database.query(
    `insert into events (kind, action, repository_id, repository, sender, subject)
     select e.kind, e.action, e.repository_id, e.repository, e.sender, e.subject
     from (select * from events where repository_id = $1 order by position desc limit 1) e, generate_series(1, $2)`,
    [id, count - 2],
  );
  await client.call("PATCH", path, { description: "last" });
}

/** From the moment that the event tells, on this machine's clock, to the first byte at the receiver. */
async function sample(bench: Bench, receiver: Receiver, { path }: Place): Promise<number[]> {
  const times: number[] = [];
  for (let round = -bench.size.warmUps; round < bench.size.webhooks.samples; round += 1) {
    receiver.received.length = 0;
    await bench.client.call("PATCH", path, { description: `${round}` });
    await eventually(() => receiver.received.length === 1, { intervalMs: 1, timeoutMs: 30_000 });
    const [one] = receiver.received;
    if (one && round >= 0) times.push(one.at - Date.parse(String(one.json["timestamp"])));
  }
  return times;
}

async function sustained(bench: Bench, receiver: Receiver): Promise<Figure> {
  const place = await repository(bench, "busy-hooks");
  for (let number = 0; number < endpoints; number += 1) await hook(bench, place, `${receiver.url}/${number}`);
  receiver.received.length = 0;
  const { deliveries } = bench.size.webhooks;
  await addEvents(bench, place, deliveries / endpoints);
  await eventually(() => receiver.received.length >= deliveries, { timeoutMs: 120_000, intervalMs: 20 });
  const times = receiver.received.map(({ at }) => at);
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
  const rate = deliveries / Math.max(seconds, 0.001);
  return {
    what: `${countOf(deliveries)} deliveries to ${endpoints} endpoints, the receiver on the same machine`,
    value: `${rate.toFixed(0)} a second`,
    limit: { text: `≥ ${aSecondAtLeast} a second`, met: rate >= aSecondAtLeast },
  };
}

async function besideDead(bench: Bench, receiver: Receiver): Promise<Figure[]> {
  const place = await repository(bench, "quiet-hooks");
  await hook(bench, place, receiver.url);
  const alone = await sample(bench, receiver, place);
  const dead = await repository(bench, "dead-hooks");
  // Nobody listens there, and the first of its tries are still to come.
  await hook(bench, dead, "https://127.0.0.1:9/");
  const { waiting } = bench.size.webhooks;
  await addEvents(bench, dead, waiting);
  const waits = async () => {
    const { rows } = await bench.database.query<{ count: number }>(
      `select count(*)::int as count from webhook_deliveries d join webhooks w on w.id = d.webhook_id
       where w.repository_id = $1 and d.status in ('pending', 'retrying')`,
      [dead.id],
    );
    return rows[0]?.count ?? 0;
  };
  await eventually(async () => (await waits()) >= waiting, { timeoutMs: 60_000 });
  const beside = await sample(bench, receiver, place);
  const [before, after] = [quantile(alone, 0.99), quantile(beside, 0.99)];
  const ratio = after / before;
  return [
    {
      what: "event → first byte at the receiver, median",
      value: `${median(alone).toFixed(0)} ms (99th percentile ${before.toFixed(0)} ms)`,
      limit: { text: `≤ ${firstByteAtMostMs} ms`, met: median(alone) <= firstByteAtMostMs },
    },
    {
      what: `the same while ${countOf(waiting)} deliveries wait for a dead endpoint, 99th percentile`,
      value: `${ratio.toFixed(2)} × (${after.toFixed(0)} ms; median ${median(beside).toFixed(0)} ms)`,
      limit: { text: `≤ ${deadAtMost} ×`, met: ratio <= deadAtMost },
    },
    {
      what: "of them still waiting after that",
      value: `${await waits()}`,
      limit: { text: "all", met: (await waits()) >= waiting },
    },
  ];
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const receiver = await startReceiver();
  try {
    const figures = await besideDead(bench, receiver);
    return { figures: [...figures, await sustained(bench, receiver)], parts: [] };
  } finally {
    await receiver.close();
  }
}

export const webhooksScenario: Scenario = {
  number: 15,
  title: ({ webhooks }) =>
    `Webhooks: one delivery, ${countOf(webhooks.deliveries)} of them, and a dead endpoint`,
  run,
};
