/**
 * Writes what became of attempts. Those that finish while a transaction runs are written together by the next one, so that a
 * busy instance commits less often than it delivers.
 */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Attempt } from "./attempt.ts";
import { failuresUntilGate, switchOffMs, waitAfter } from "./delivery-states.ts";
import type { WebhookMetrics } from "./metrics.ts";
import { addRetryIntent } from "./retry-intents.ts";
import { moveDeliveries, moveEndpoints, setGate, switchOff, type MovedEndpoint } from "./sending.store.ts";
import type { SwitchedOff } from "./switched-off.ts";

export interface Recorder {
  /** Resolves when it is written. */
  record(attempt: Attempt): Promise<void>;
}

export interface RecorderDeps {
  db: Database;
  logger: Logger;
  metrics: WebhookMetrics;
  switchedOff: SwitchedOff;
  /** Until the first try of an endpoint that is taken for dead; it doubles from there. */
  firstWaitMs: number;
}

const retryMs = 500;

export function createRecorder(deps: RecorderDeps): Recorder {
  let waiting: { attempt: Attempt; done: () => void }[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await writeUntilDone(
        deps,
        batch.map(({ attempt }) => attempt),
      );
      for (const { attempt, done } of batch) {
        deps.metrics.attempted(attempt);
        done();
      }
    }
    writing = undefined;
  }
  return {
    record(attempt) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ attempt, done: resolve });
      writing ??= writeAll();
      return promise;
    },
  };
}

/** What was sent must be known, so it is kept until the database takes it. */
async function writeUntilDone(deps: RecorderDeps, attempts: readonly Attempt[]): Promise<void> {
  crashPoint("webhook.sent-before-recorded");
  for (;;) {
    try {
      await deps.db.transaction((tx) => write(deps, tx, attempts));
      return;
    } catch (error) {
      deps.logger.warn({ error: (error as Error).message }, "could not record deliveries; trying again");
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

async function write(deps: RecorderDeps, tx: Transaction, attempts: readonly Attempt[]): Promise<void> {
  await moveDeliveries(
    tx,
    attempts.map(({ delivery_id, version, accepted, wait_ms, attempt }) => ({
      delivery_id,
      version,
      accepted,
      wait_ms,
      attempt,
    })),
  );
  const sums = sumByEndpoint(attempts);
  for (const row of await moveEndpoints(tx, sums)) {
    const sum = sums.find(({ webhook_id: id }) => id === row.id);
    if (!sum) continue;
    await closeOrKeep(deps, tx, { row, sum });
    if (sum.refused) await addRetryIntent(tx, row.id);
  }
}

type EndpointAfter = Awaited<ReturnType<typeof moveEndpoints>>[number];

/** The gate of the endpoint, after what was sent to it. */
async function closeOrKeep(
  deps: RecorderDeps,
  tx: Transaction,
  { row, sum: { failures, askedMs, refused } }: { row: EndpointAfter; sum: Sum },
): Promise<void> {
  if (row.outdated) {
    // The one that failed is due at once, before those that follow it.
    if (row.ordered && refused) await setGate(tx, row.id, 0);
    return;
  }
  if (row.consecutive_failures === 0) {
    // The next one in order is due; the gate of an ordered webhook opens when nothing waits any more.
    if (row.gated && row.ordered) await setGate(tx, row.id, 0);
    return;
  }
  if (failures === 0) return;
  // From the failure on that closes the gate, single tries follow the same waits as attempts.
  const tries = row.consecutive_failures - failuresUntilGate(row.ordered) + 1;
  const waitMs = tries > 0 ? waitAfter(tries, deps.firstWaitMs) : 0;
  // Whoever asks for a pause gets it at once, from all deliveries.
  if (tries > 0 || askedMs > 0) await setGate(tx, row.id, Math.max(waitMs, askedMs));
  const old = await switchOff(tx, row.id, switchOffMs / 1000);
  if (old) await deps.switchedOff.tell(tx, old);
}

interface Sum extends MovedEndpoint {
  /** The longest pause that the endpoint asked for since it last accepted one. */
  askedMs: number;
  /** One of them failed, whatever came after it, or was changed. */
  refused: boolean;
}

const nothingSent = { version: "", requests: 0, accepted: false, failures: 0, askedMs: 0, refused: false };

/** In the order in which they finished. */
function sumByEndpoint(attempts: readonly Attempt[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { webhookId, version, accepted, askedMs } of attempts) {
    const before = sums.get(webhookId) ?? { ...nothingSent, webhook_id: webhookId };
    const sum = before.version === version ? before : { ...nothingSent, webhook_id: webhookId, version };
    sums.set(webhookId, {
      ...sum,
      requests: before.requests + 1,
      refused: before.refused || !accepted,
      accepted: accepted || sum.accepted,
      failures: accepted ? 0 : sum.failures + 1,
      askedMs: accepted ? 0 : Math.max(sum.askedMs, askedMs),
    });
  }
  return [...sums.values()];
}
