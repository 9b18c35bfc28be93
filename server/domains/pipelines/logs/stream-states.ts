/**
 * The states of a log stream, which are two columns of `log_streams`: `ended`, and `complete`, which is null for as long as
 * nothing is known to be missing of one in progress.
 */
import { stateTable, type EventOf, type StateOf } from "@forgeline/schemas/core/state-table.ts";

export const streamStates = stateTable({
  initial: "open",
  events: {
    append: "a frame that starts at the end of the stream is stored",
    end: "`log_eof`: all bytes have arrived with the checksum that the runner sent, and the runner dropped none",
    endCut: "`log_eof` with a different checksum, or for a log that the runner truncated",
    close: "its attempt ended without it, or the result has waited long enough for it",
    lose: "an object with part of the stream is missing, for example after a restore",
  },
  moves: {
    open: { append: "open", end: "complete", endCut: "incomplete", close: "incomplete", lose: "damaged" },
    damaged: { append: "damaged", end: "incomplete", endCut: "incomplete", close: "incomplete" },
    complete: { lose: "incomplete" },
    incomplete: {},
  },
});

export type StreamStatus = StateOf<typeof streamStates>;

export function streamStatusOf({
  ended,
  complete,
}: {
  ended: boolean;
  complete: boolean | null;
}): StreamStatus {
  if (ended) return complete === true ? "complete" : "incomplete";
  return complete === null ? "open" : "damaged";
}

const conditions: Record<StreamStatus, string> = {
  open: "not ended and complete is null",
  damaged: "not ended and complete is not null",
  complete: "ended and complete",
  incomplete: "ended and complete is not true",
};

/** A condition on a row of `log_streams`: whether the event may happen. */
export function eventCondition(event: EventOf<typeof streamStates>): string {
  return `(${streamStates
    .sources(event)
    .map((state) => conditions[state])
    .join(" or ")})`;
}
