/**
 * Work for Temporal, written in the same transaction as the data that it follows from. The relay (`relay.ts`) gives it at least
 * once to the handler of its key, in order; receivers deduplicate.
 */
import type { Transaction } from "../db/database.ts";
import { insertItem } from "./outbox.store.ts";

export interface Intent {
  /** For people who look at the table. */
  kind: string;
  /** `<handler>:<id>`. What has the same key is handed over in order. */
  key: string;
  /** Groups take turns, so that one with much to do holds up no other: the id of a repository. */
  group: string;
  /** JSON. */
  payload: object;
}

export interface OutboxItem {
  id: number;
  key: string;
  payload: unknown;
  attempts: number;
}

/** One call, and the items that are done with it. */
export interface Handover {
  kind: string;
  items: OutboxItem[];
  call: () => Promise<void>;
}

/** Makes calls of waiting items of one key, in their order. May be asked again for items whose call was made before. */
export type OutboxHandler = (items: readonly OutboxItem[]) => Handover[];

export async function addIntent(tx: Transaction, intent: Intent): Promise<void> {
  await insertItem(tx, { ...intent, payload: JSON.stringify(intent.payload) });
  await tx.notify("outbox", "");
}
