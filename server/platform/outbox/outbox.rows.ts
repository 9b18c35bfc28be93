/** Made by `node scripts/generate-rows.ts` from the statements of outbox.store.ts; do not edit. */
import type { OutboxIntent } from "./outbox.ts";

export interface OutboxRows {
  takeDue: {
    id: number;
    key: string;
    payload: OutboxIntent;
    attempts: number;
  };
  removeItems: never;
  putOff: {
    parked: boolean;
  };
  insertItem: never;
  countItems: {
    waiting: number;
    parked: number;
  };
}
