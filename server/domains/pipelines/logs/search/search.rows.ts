/** Made by `node scripts/generate-rows.ts` from the statements of search.store.ts; do not edit. */
import type { Block } from "../lost-frames.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface SearchRows {
  findSegments: {
    stream_id: string;
    start_offset: number;
    end_offset: number;
    next_line: number;
    object_key: string;
    index: Block[];
  };
  findLastRuns: {
    id: string;
    number: number;
    status: Status;
  };
  findSearchedRun: {
    id: string;
    number: number;
    status: Status;
  };
  findFailedStreams: {
    id: string;
  };
  findRunOfStream: {
    number: number;
  };
}
