/** Made by `node scripts/generate-rows.ts` from the statements of segment.store.ts; do not edit. */
import type { Block } from "./lost-frames.ts";

export interface SegmentRows {
  replaceChunks: {
    moved: boolean;
  };
  readSegment: {
    start_offset: number;
    next_line: number;
    object_key: string;
    index: Block[];
  };
  findPlaceOfLine: {
    start_offset: number;
    index: Block[] | null;
  };
}
