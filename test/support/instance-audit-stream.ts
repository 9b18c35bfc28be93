/** The stream of an audit log of a test instance, whose parts a test may kill, and what must be true of it afterwards. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { AuditStream } from "@forgeline/schemas/audit-streams/resource.ts";
import type { AuditEntry } from "@forgeline/schemas/audit/resource.ts";
import { eventsOf } from "./audit-stream-bed.ts";
import { eventually } from "./eventually.ts";
import type { TestInstance } from "./instance.ts";
import type { CutOffWork } from "./survive-outage.ts";
import type { Received, Receiver } from "./webhook-receiver.ts";

export interface InstanceStream {
  orgId: string;
  /** `/orgs/NAME` */
  at: string;
  /** One entry. Rejects unless it was acknowledged. */
  change(description: string): Promise<void>;
  received(): Received[];
  /** Resolves when nothing waits, and the target has all of the log: each entry once or more, in order. */
  expectWhole(): Promise<void>;
}

let made = 0;

export async function streamInstance(instance: TestInstance, receiver: Receiver): Promise<InstanceStream> {
  const name = `streamed-${made++}`;
  const at = `/orgs/${name}`;
  const path = `/${name}`;
  const { id: orgId } = await instance.api<{ id: string }>("POST", "/orgs", { name });
  await instance.api("PUT", `${at}/audit-log/stream`, {
    url: `${receiver.url}${path}`,
    token: "token-of-the-stream",
    start_seq: 1,
  });
  const received = () => receiver.received.filter((one) => one.path === path);
  return {
    orgId,
    at,
    change: async (description) => void (await instance.api("PATCH", at, { description })),
    received,
    async expectWhole() {
      const { last_sent_seq: last } = await eventually(
        async () => {
          const now = await instance.api<AuditStream>("GET", `${at}/audit-log/stream`);
          return now.status === "up_to_date" && now;
        },
        { timeoutMs: 120_000, intervalMs: 200 },
      );
      const events = eventsOf(received());
      const bySeq = new Map(events.map(({ seq, id }) => [seq, id]));
      expect([...bySeq.keys()].toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
        Array.from({ length: last }, (_, index) => index + 1),
      );
      // What came again has the id that it had, and nothing overtook what came before it.
      expect(events.filter(({ seq, id }) => bySeq.get(seq) !== id)).toEqual([]);
      expect(overtaking(events)).toEqual([]);
    },
  };
}

function overtaking(events: readonly AuditEntry[]): number[] {
  let highest = 0;
  return events.flatMap(({ seq }) => {
    const number = seq ?? 0;
    const isEarly = number > highest + 1;
    highest = Math.max(highest, number);
    return isEarly ? [number] : [];
  });
}

/** While entries are recorded and sent. */
export async function cutOffStream(instance: TestInstance, receiver: Receiver): Promise<CutOffWork> {
  const stream = await streamInstance(instance, receiver);
  const changing = keepChanging(stream);
  return {
    begin: async () => void (await eventually(() => stream.received().length > 1, { timeoutMs: 60_000 })),
    async expectWhole() {
      const before = changing.count();
      await eventually(() => changing.count() > before + 10, { timeoutMs: 60_000 });
      await changing.stop();
      await stream.expectWhole();
      const changes = eventsOf(stream.received()).filter(({ action }) => action === "org.settings_change");
      expect(new Set(changes.map(({ id }) => id)).size).toBeGreaterThanOrEqual(changing.count());
    },
  };
}

function keepChanging(stream: InstanceStream): { count(): number; stop(): Promise<void> } {
  let acknowledged = 0;
  let stopped = false;
  const running = (async () => {
    for (let number = 0; !stopped; number += 1) {
      await stream.change(`change ${number}`).then(
        () => (acknowledged += 1),
        () => undefined,
      );
      await sleep(50);
    }
  })();
  return {
    count: () => acknowledged,
    async stop() {
      stopped = true;
      await running;
    },
  };
}
