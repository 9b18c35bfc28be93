/** A webhook of a repository on a test instance, the changes that it is told of, and what arrived. */
import { setTimeout as sleep } from "node:timers/promises";
import type { TestInstance } from "./instance.ts";
import type { Received, Receiver } from "./webhook-receiver.ts";

export interface InstanceWebhook {
  id: string;
  secret: string;
  /** Of the receiver's address. */
  path: string;
  /** `/repos/OWNER/NAME` */
  at: string;
  /** One event: the description becomes this. Rejects unless it was acknowledged. */
  change(description: string): Promise<void>;
  received(): Received[];
  /** Deliveries that were not accepted yet. */
  waiting(): Promise<number>;
}

let made = 0;

export async function hookInstance(
  instance: TestInstance,
  receiver: Receiver,
  body: object = {},
): Promise<InstanceWebhook> {
  const name = `hooked-${made++}`;
  await instance.api("POST", "/repos", { name });
  const at = `/repos/${instance.adminName}/${name}`;
  const path = `/${name}`;
  const { id, secret } = await instance.api<{ id: string; secret: string }>("POST", `${at}/webhooks`, {
    url: `${receiver.url}${path}`,
    events: ["repository"],
    ...body,
  });
  return {
    id,
    secret,
    path,
    at,
    change: async (description) => void (await instance.api("PATCH", at, { description })),
    received: () => receiver.received.filter((one) => one.path === path),
    waiting: async () => (await instance.api<{ waiting: number }>("GET", `${at}/webhooks/${id}`)).waiting,
  };
}

/** Changes again and again until stopped; gives the descriptions that were acknowledged. */
export function changeSteadily(hook: InstanceWebhook): { stop(): Promise<string[]>; count(): number } {
  const acknowledged: string[] = [];
  let stopped = false;
  const running = (async () => {
    for (let number = 0; !stopped; number += 1) {
      const description = `change ${number}`;
      // What fails may have happened or not; only what was acknowledged must arrive.
      await hook.change(description).then(
        () => acknowledged.push(description),
        () => undefined,
      );
      await sleep(50);
    }
  })();
  return {
    count: () => acknowledged.length,
    async stop() {
      stopped = true;
      await running;
      return acknowledged;
    },
  };
}

/** What no receiver may see: acknowledged changes that did not arrive, gaps in the numbers, two ids for one event. */
export function problemsAt(hook: InstanceWebhook, acknowledged: readonly string[]): string[] {
  const received = hook.received();
  const told = new Set(
    received.map(({ json }) => (json["repository"] as { description: string }).description),
  );
  const ids = new Map<number, Set<string>>();
  for (const { json, headers } of received) {
    const sequence = Number(json["sequence"]);
    ids.set(sequence, (ids.get(sequence) ?? new Set()).add(String(headers["x-svc-delivery"])));
  }
  const numbers = Array.from({ length: Math.max(0, ...ids.keys()) }, (_, index) => index + 1);
  return [
    ...acknowledged.filter((description) => !told.has(description)).map((each) => `${each} did not arrive`),
    ...numbers.filter((number) => !ids.has(number)).map((number) => `number ${number} did not arrive`),
    ...numbers.filter((number) => (ids.get(number)?.size ?? 0) > 1).map((number) => `two ids: ${number}`),
  ];
}
