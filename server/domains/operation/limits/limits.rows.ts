/** Made by `node scripts/generate-rows.ts` from the statements of limits.store.ts; do not edit. */

export interface LimitsRows {
  reserve: {
    started_at: Date;
    ends_at: Date;
    requests: number;
    taken: number;
    granted: number;
    ms_left: number;
  };
  returnUnused: never;
  readWindows: {
    category: string | null;
    started_at: Date | null;
    ends_at: Date | null;
    taken: number | null;
    ms_left: number | null;
    requests: number | null;
  };
  sweepWindows: never;
}
