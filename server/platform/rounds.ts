/** Work that a process does again and again in the background, one piece at a time; a failure waits for the next time. */
export interface Round {
  work(): Promise<unknown>;
  everyMs: number;
  /** Also at once when it starts. */
  atStart: boolean;
}

export interface Rounds {
  start(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** For long work: false once it is to end. */
  goOn(): boolean;
}

export function createRounds(rounds: readonly Round[], onFailure: (error: Error) => void): Rounds {
  let timers: NodeJS.Timeout[] = [];
  let running: Promise<unknown> | undefined;
  const begin = ({ work }: Round) => {
    running ??= work()
      .catch(onFailure)
      .finally(() => (running = undefined));
  };
  return {
    start() {
      if (timers.length > 0) return;
      timers = rounds.map((round) => setInterval(begin, round.everyMs, round).unref());
      for (const round of rounds) if (round.atStart) begin(round);
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      timers = [];
      await running;
    },
    goOn: () => timers.length > 0,
  };
}
