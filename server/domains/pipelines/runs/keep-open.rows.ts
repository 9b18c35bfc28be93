/** Made by `node scripts/generate-rows.ts` from the statements of keep-open.store.ts; do not edit. */

export interface KeepOpenRows {
  findKeepable: {
    id: string;
    key: string;
    name: string;
    matrix: Record<string, string> | null;
    finishedAt: Date | null;
    keep_open: boolean;
    trust: "fork" | "own" | "unknown_author";
    job: unknown;
    allowShell: boolean;
  };
  setKeepOpen: {
    id: string;
  };
  noteKept: {
    pipeline_id: string;
  };
}
