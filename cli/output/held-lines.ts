/**
 * Lines that tell how a job or step ended, kept back while log lines of it are still to come: who joins a run is first told how
 * everything stands, and gets the logs afterwards.
 */
import type { WatchedStream } from "@forgeline/client/watch-session.ts";

/** Of a stage neither: it comes after all that is kept back. */
export interface Ended {
  job: string | null;
  /** Of a step: its name. */
  step: string | null;
  attempt: number | null;
}

export interface HeldLines {
  /** Now, or once the streams of what has ended are over. */
  add(ended: Ended, print: () => void): void;
  opened(stream: WatchedStream): void;
  /** Its bytes come: by now all streams that there are have been told of. */
  began(): void;
  over(stream: WatchedStream): void;
  /** Nothing more comes. */
  release(): void;
}

export function createHeldLines(): HeldLines {
  const open = new Map<string, WatchedStream>();
  let held: { ended: Ended; print: () => void }[] = [];
  let hasBegun = false;
  const isDue = ({ job, step, attempt }: Ended) =>
    hasBegun &&
    [...open.values()].every(
      (stream) =>
        stream.jobLabel !== job || (step !== null && (stream.name !== step || stream.attempt !== attempt)),
    );

  function printDue(): void {
    const due = held.filter(({ ended }) => ended.job !== null && isDue(ended));
    held = held.filter((each) => !due.includes(each));
    for (const { print } of due) print();
    if (hasBegun && held.every(({ ended }) => ended.job === null)) printAll();
  }

  function printAll(): void {
    const all = held;
    held = [];
    for (const { print } of all) print();
  }

  return {
    add(ended, print) {
      held.push({ ended, print });
      printDue();
    },
    opened: (stream) => void (stream.kind !== "shell" && open.set(stream.id, stream)),
    began() {
      if (hasBegun) return;
      hasBegun = true;
      printDue();
    },
    over(stream) {
      open.delete(stream.id);
      hasBegun = true;
      printDue();
    },
    release: printAll,
  };
}
