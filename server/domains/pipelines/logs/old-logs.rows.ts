/** Made by `node scripts/generate-rows.ts` from the statements of old-logs.store.ts; do not edit. */

export interface OldLogsRows {
  listStreams: {
    id: string;
  };
  removeChunks: never;
  removeSegments: never;
  replace: never;
  addLine: never;
}
