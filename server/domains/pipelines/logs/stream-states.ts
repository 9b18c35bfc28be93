/**
 * The states of a log stream, which are two columns of `log_streams`: `ended`, and `complete`, which is null for as long as
 * nothing is known to be missing of one that goes on.
 */
import { stateTable, type EventOf, type StateOf } from "@forgeline/schemas/core/state-table.ts";

export const streamStates = stateTable({
  initial: "open",
  events: {
    append: "frames that begin at its end are stored",
    end: "`log_eof`: all bytes are there, as the runner hashed them, and it dropped none",
    endCut: "`log_eof` with another hash, or of a log that the runner cut",
    close: "its attempt is dead, or a result has waited for it long enough",
    lose: "an object with a part of it is gone, as after a restore",
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
export function mayHappen(event: EventOf<typeof streamStates>): string {
  return `(${streamStates
    .sources(event)
    .map((state) => conditions[state])
    .join(" or ")})`;
}
