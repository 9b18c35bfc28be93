/**
 * Whether the client of a Git exchange keeps up. Time counts only while it is the client's turn: to send what is missing, or to take
 * what was sent. A slow client keeps its slot until somebody else waits for it (`slow-clients.ts`).
 */
export interface Pace {
  /** Starts the client's turn, until the returned function is called; turns may overlap. */
  wait(): () => void;
  /** The client sent or took so many bytes. */
  moved(bytes: number): void;
  /** Git has sent something although it may be the client's turn: it is working. */
  worked(): void;
  /** For how long it has been too slow; 0 if it is not. */
  behindMs(): number;
}

export interface PaceLimits {
  /** Fewer bytes in a second, while it is the client's turn, are too slow. */
  minBytesPerSecond: number;
  /** How long a client may be slower; earlier fast phases count for no more than this. */
  graceMs: number;
}

/** More than what lies between two signs of life of a push that Git works on: `receive.keepAlive` is five seconds. */
const workedMs = 6_000;
/** More than anybody asks about (`slow-clients.ts`). */
const maxBehindMs = 60_000;

/** `now` gives milliseconds of a clock that only goes forward. */
export function createPace(limits: PaceLimits, now: () => number = () => performance.now()): Pace {
  const msPerByte = 1_000 / limits.minBytesPerSecond;
  let creditMs = limits.graceMs;
  let turns = 0;
  let countedUntil = now();

  /** Takes off what has gone by of the client's time. */
  function count(): void {
    const at = now();
    // The longest silence is made up for as well as one that is just too long.
    if (turns > 0) creditMs = Math.max(-maxBehindMs, creditMs - (at - countedUntil));
    countedUntil = at;
  }

  function give(ms: number): void {
    count();
    creditMs = Math.min(limits.graceMs, creditMs + ms);
  }

  return {
    wait() {
      count();
      turns += 1;
      let isOn = true;
      return () => {
        if (!isOn) return;
        isOn = false;
        count();
        turns -= 1;
      };
    },
    moved: (bytes) => give(bytes * msPerByte),
    worked: () => give(workedMs),
    behindMs() {
      count();
      return Math.max(0, -creditMs);
    },
  };
}
