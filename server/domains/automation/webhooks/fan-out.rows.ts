/** Made by `node scripts/generate-rows.ts` from the statements of fan-out.store.ts; do not edit. */

export interface FanOutRows {
  match: {
    id: string;
    position: number;
    kind: string;
    action: string;
  };
  insertDeliveries: never;
  takeNumbers: {
    id: string;
    first: number | null;
  };
}
