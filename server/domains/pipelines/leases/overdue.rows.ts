/** Made by `node scripts/generate-rows.ts` from the statements of overdue.store.ts; do not edit. */

export interface OverdueRows {
  findOverdue: {
    attemptId: string;
    epoch: number;
    name: string;
    limit: "idle_timeout" | "timeout";
    limitMs: number | null;
  };
  cancelUnasked: {
    id: string;
  };
}
