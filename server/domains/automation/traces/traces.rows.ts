/** Made by `node scripts/generate-rows.ts` from the statements of traces.store.ts; do not edit. */

export interface TracesRows {
  add: never;
  claim: {
    pipeline_id: string;
    sequence: number;
    run: unknown;
    tries: number;
    created_at: Date;
  };
  finish: never;
  delay: never;
  forgetAll: never;
  measure: {
    waiting: number;
    seconds: number;
  };
  listDeliveries: {
    id: string;
    webhook_id: string;
    event: string;
    action: string;
    status: "delivered" | "failed" | "pending" | "retrying";
  };
}
