/** Made by `node scripts/generate-rows.ts` from the statements of outbox.store.ts; do not edit. */

export interface OutboxRows {
  takeDue: {
    id: number;
    key: string;
    payload: unknown;
    attempts: number;
  };
  removeItems: never;
  putOff: {
    parked: boolean;
  };
  insertItem: never;
  countDue: {
    due: number;
  };
  countItems: {
    waiting: number;
    parked: number;
  };
}
