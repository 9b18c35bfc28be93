/** Made by `node scripts/generate-rows.ts` from the statements of stream.store.ts; do not edit. */

export interface StreamRows {
  insertStreams: {
    id: string;
    channel: number;
    kind: "service" | "setup" | "shell" | "step";
    step: number | null;
    service: string | null;
    nextOffset: number;
  };
  findLeaseStreams: {
    id: string;
    channel: number;
    kind: "service" | "setup" | "shell" | "step";
    step: number | null;
    service: string | null;
    nextOffset: number;
  };
  insertShellStream: {
    name: string | null;
  };
  findMissing: {
    id: string;
    next_offset: number;
  };
  findStates: {
    id: string;
    next_offset: number;
    next_line: number;
    ended: boolean;
    total_bytes: number | null;
    total_lines: number | null;
    complete: boolean | null;
  };
  endStream: {
    id: string;
  };
  endIncomplete: {
    id: string;
    next_offset: number;
    next_line: number;
    ended: boolean;
    total_bytes: number | null;
    total_lines: number | null;
    complete: boolean | null;
  };
  setIncomplete: never;
  areComplete: {
    complete: boolean | null;
  };
  findUnclosed: {
    id: string;
  };
  findStreamsOfRepository: {
    id: string;
  };
  findRunName: {
    pipeline: string;
  };
}
