/**
 * First attempts: each webhook has a lane of its own, which sends what was not sent yet. Lanes share nothing but a large number
 * of requests at the same time, so an endpoint that is slow or dead holds up no other.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import { attemptDelivery, type AttemptDeps } from "./attempt.ts";
import type { CompleteEvent } from "./complete-event.ts";
import { maxAtOnce, type Endpoint, type Endpoints } from "./endpoints.ts";
import type { Recorder } from "./recorder.ts";
import { takePending, type WaitingDelivery } from "./sending.store.ts";

export interface Lanes {
  /** Something may wait for this webhook. */
  wake(webhookId: string): void;
  /** Begins nothing more; resolves when what is under way has been recorded. */
  close(): Promise<void>;
}

export interface LanesDeps extends AttemptDeps {
  db: Database;
  logger: Logger;
  endpoints: Endpoints;
  recorder: Recorder;
  complete: CompleteEvent;
}

interface Lane {
  id: string;
  /** Deliveries that were taken and not recorded yet. */
  taken: Set<string>;
  looking: boolean;
  /** Woken while it looked. */
  again: boolean;
  /** As many were found as were asked for. */
  more: boolean;
  timer: NodeJS.Timeout | undefined;
}

const failedLookMs = 1_000;
/** Requests of all lanes at the same time. */
const maxUnderWay = 1_000;

export function createLanes(deps: LanesDeps): Lanes {
  const lanes = new Map<string, Lane>();
  const underWay = new Set<Promise<void>>();
  /** Lanes that wait for others, because too much is under way. */
  const waiting = new Set<string>();
  let sending = 0;
  let closed = false;

  function wake(id: string): void {
    if (closed) return;
    const lane = lanes.get(id) ?? newLane(id);
    lanes.set(id, lane);
    clearTimeout(lane.timer);
    lane.timer = undefined;
    lane.again = true;
    if (!lane.looking) keep(look(lane));
  }

  function keep(work: Promise<void>): void {
    const kept = work.finally(() => underWay.delete(kept));
    underWay.add(kept);
  }

  function wakeLater(lane: Lane, ms: number): void {
    clearTimeout(lane.timer);
    lane.timer = setTimeout(() => wake(lane.id), ms);
    lane.timer.unref();
  }

  async function look(lane: Lane): Promise<void> {
    lane.looking = true;
    try {
      while (lane.again && !closed) {
        lane.again = false;
        await takeSome(lane);
      }
    } catch (error) {
      deps.logger.warn(
        { webhook_id: lane.id, error: (error as Error).message },
        "could not look for deliveries",
      );
      wakeLater(lane, failedLookMs);
    } finally {
      lane.looking = false;
      forget(lane);
    }
  }

  function forget(lane: Lane): void {
    const isIdle = !lane.looking && lane.taken.size === 0 && !lane.again && lane.timer === undefined;
    if (isIdle && !waiting.has(lane.id)) lanes.delete(lane.id);
  }

  async function takeSome(lane: Lane): Promise<void> {
    if (lane.taken.size >= maxAtOnce) return;
    if (sending >= maxUnderWay) return void waiting.add(lane.id);
    const endpoint = await deps.endpoints.find(lane.id);
    if (!endpoint?.active || endpoint.gatedMs !== null) return;
    const room = endpoint.room - lane.taken.size;
    if (room <= 0) return wakeLater(lane, endpoint.windowMs + 100);
    const limit = Math.min((endpoint.ordered ? 1 : maxAtOnce) - lane.taken.size, room);
    if (limit <= 0) return;
    const except = [...lane.taken];
    const found = await takePending(deps.db, lane.id, { except, limit });
    lane.more = found.length === limit;
    for (const delivery of found) {
      lane.taken.add(delivery.id);
      keep(send(lane, endpoint, delivery));
    }
  }

  async function send(lane: Lane, endpoint: Endpoint, delivery: WaitingDelivery): Promise<void> {
    sending += 1;
    try {
      const whole = await deps.complete(delivery);
      await deps.recorder.record(await attemptDelivery({ ...deps, endpoint }, whole));
    } catch (error) {
      deps.logger.error({ err: error, delivery_id: delivery.id }, "could not send a delivery");
      wakeLater(lane, failedLookMs);
    } finally {
      lane.taken.delete(delivery.id);
      sending -= 1;
    }
    const [next] = waiting;
    if (next !== undefined && waiting.delete(next)) wake(next);
    if (lane.more) wake(lane.id);
    else forget(lane);
  }

  return {
    wake,
    async close() {
      closed = true;
      for (const lane of lanes.values()) clearTimeout(lane.timer);
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

function newLane(id: string): Lane {
  return { id, taken: new Set(), looking: false, again: false, more: false, timer: undefined };
}
