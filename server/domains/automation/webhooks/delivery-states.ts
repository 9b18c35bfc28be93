/** The states of a delivery, and when the next attempt follows. */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const deliveryStates = stateTable({
  initial: "pending",
  events: {
    accept: "the endpoint answers with a status of 200 to 299",
    refuse: "an attempt fails",
    expire: "24 hours have passed since the event, or since somebody asked for it once more",
    redeliver: "somebody asks for it once more",
  },
  moves: {
    pending: { accept: "delivered", refuse: "retrying", expire: "failed", redeliver: "pending" },
    retrying: { accept: "delivered", refuse: "retrying", expire: "failed", redeliver: "pending" },
    delivered: { redeliver: "pending" },
    failed: { redeliver: "pending" },
  },
});

export const deliverySql = stateSql(deliveryStates);

/** Deliveries are given up this long after the series began. */
export const seriesMs = 24 * 60 * 60 * 1000;

export const longestWaitMs = 60 * 60 * 1000;

/** Until the attempt after this many failed ones: `firstWaitMs`, doubling, up to an hour. */
export function waitAfter(failures: number, firstWaitMs: number): number {
  return Math.min(firstWaitMs * 2 ** Math.min(failures - 1, 20), longestWaitMs);
}

/** Failures in a row after which nothing is sent before a single try succeeds. */
export function failuresUntilGate(ordered: boolean): number {
  return ordered ? 1 : 5;
}

/** A webhook that has failed for this long is switched off. */
export const switchOffMs = 7 * 24 * 60 * 60 * 1000;

/** Deliveries to one webhook in an hour (`spec.md`, section 8). */
export const maxAnHour = 10_000;
