/** Made by `node scripts/generate-rows.ts` from the statements of segment-list.store.ts; do not edit. */

export interface SegmentListRows {
  listSegments: {
    streamId: string;
    start: number;
    end: number;
    key: string;
  };
  findUnnamed: {
    key: string | null;
  };
}
