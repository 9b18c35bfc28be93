/**
 * Hands intents to Temporal, at least once, in order per key. Several loops, each with one transaction that holds its
 * items' locks while it calls Temporal: a crash gives them back at once. A commit in this process wakes a loop
 * directly, one elsewhere by `NOTIFY`; a slow poll finds what either missed. While Temporal is down nothing counts as
 * a failed try; what Temporal refuses again and again is parked.
 */
import type { Counter, Histogram, Registry } from "prom-client";
import { createCounter, createGauge, createHistogram } from "../declared-metrics.ts";
import type { Database } from "../db/database.ts";
import { crashPoint } from "../crash-point.ts";
import { isTemporalUnavailable } from "../temporal-errors.ts";
import { createWakeUp } from "../wake-up.ts";
import type { Logger } from "../logger.ts";
import { deliver } from "./deliver.ts";
import type { OutboxHandler } from "./outbox.ts";
import { countDue, countItems, putOff, removeItems, takeDue } from "./outbox.store.ts";

export interface RelayDeps {
  db: Database;
  logger: Logger;
  registry: Registry;
  /** Calls to Temporal at once: `loops` × `keysPerBatch`. */
  loops?: number;
  keysPerBatch?: number;
  pollMs?: number;
  maxAttempts?: number;
}

export interface Relay {
  /** Gives items whose key begins with `<name>:` to the handler. To be called before `start`. */
  handle(name: string, handler: OutboxHandler): void;
  start(): void;
  /** How many intents could be handed over now; counts to the limit. */
  countDue(limit: number): Promise<number>;
  /** Ends after what is under way. */
  stop(): Promise<void>;
}

export function createRelay(deps: RelayDeps): Relay {
  const { db, loops = 3, pollMs = 2_000 } = deps;
  const metrics = createMetrics(deps.registry, db);
  const handlers = new Map<string, OutboxHandler>();
  const doorbell = createWakeUp();
  let stopped = true;
  let running: Promise<void>[] = [];
  let unlisten: (() => void) | undefined;

  async function loop(): Promise<void> {
    let pauseMs = 0;
    while (!stopped) {
      const result = await runBatch({ ...deps, handlers }, metrics).catch((error: unknown) => {
        deps.logger.warn({ error: (error as Error).message }, "outbox batch failed");
        return "unavailable" as const;
      });
      pauseMs = result === "unavailable" ? Math.min(Math.max(pauseMs * 2, 100), 2_000) : 0;
      if (result === "full") doorbell.ring();
      if (pauseMs > 0) await doorbell.pause(pauseMs);
      else if (result === "empty" && !stopped) await doorbell.wait(pollMs);
    }
  }
  return {
    countDue: (limit) => countDue(db, limit),
    handle: (name, handler) => void handlers.set(name, handler),
    start() {
      stopped = false;
      unlisten = db.listen("outbox", doorbell.ring);
      running = Array.from({ length: loops }, loop);
    },
    async stop() {
      stopped = true;
      unlisten?.();
      doorbell.openForGood();
      await Promise.all(running);
    },
  };
}

type BatchResult = "empty" | "some" | "full" | "unavailable";

async function runBatch(
  deps: RelayDeps & { handlers: ReadonlyMap<string, OutboxHandler> },
  metrics: Metrics,
): Promise<BatchResult> {
  const { keysPerBatch = 16, maxAttempts = 10 } = deps;
  return deps.db.transaction(async (tx) => {
    const byKey = await takeDue(tx, keysPerBatch);
    if (byKey.size === 0) return "empty";
    const deliveries = await Promise.all(
      [...byKey.values()].map((items) => timed(metrics, () => deliver(deps, items))),
    );
    const done = deliveries.flatMap((delivery) => delivery.done);
    if (done.length > 0) crashPoint("outbox.delivered-before-removed");
    await removeItems(
      tx,
      done.map((item) => item.id),
    );
    let unavailable = false;
    for (const { failed } of deliveries) {
      if (!failed) continue;
      unavailable ||= isTemporalUnavailable(failed.error);
      if (isTemporalUnavailable(failed.error)) continue;
      const { id, key } = failed.item;
      const { parked } = await putOff(tx, { id, error: failed.error.message, maxAttempts });
      deps.logger.error({ id, key, parked, error: failed.error.message }, "intent could not be delivered");
    }
    metrics.delivered.inc(done.length);
    if (unavailable) return "unavailable";
    return byKey.size === keysPerBatch ? "full" : "some";
  });
}

interface Metrics {
  delivered: Counter;
  seconds: Histogram;
}

function createMetrics(registry: Registry, db: Database): Metrics {
  createGauge(registry, "forgeline_outbox_items", async (gauge) => {
    const { waiting, parked } = await countItems(db);
    gauge.set({ state: "waiting" }, waiting);
    gauge.set({ state: "parked" }, parked);
  });
  return {
    delivered: createCounter(registry, "forgeline_outbox_delivered_total"),
    seconds: createHistogram(registry, "forgeline_outbox_delivery_seconds"),
  };
}

async function timed<T>(metrics: Metrics, work: () => Promise<T>): Promise<T> {
  const end = metrics.seconds.startTimer();
  try {
    return await work();
  } finally {
    end();
  }
}
