/** Made by `node scripts/generate-rows.ts` from the statements of chunk.store.ts; do not edit. */

export interface ChunkRows {
  writeChunks: {
    id: string;
  };
  readChunks: {
    start_offset: number;
    end_offset: number;
    first_line: number;
    time_runs: [lines: number, timeMs: number][];
    compressed: boolean;
    bytes: Buffer;
  };
  findMovable: {
    stream_id: string;
  };
  readTail: {
    first: number | null;
    stored: number | null;
    ended: boolean;
  };
}
