/**
 * Small packets are worked on a few at a time, of all SSH connections together: whatever else this process has to answer waits for no
 * more than these, however many connections there are. Large packets carry packs and wait for nobody.
 */
export interface PacketQueue {
  /** So many were worked on. */
  spend(packets: number): void;
  /** Whether this turn has had all that it may have. */
  isOver(): boolean;
  /** In a later turn, after those that wait already. */
  next(proceed: () => void): void;
}

/** About a millisecond's work. */
const maxInTurn = 64;

export function createPacketQueue(max: number = maxInTurn): PacketQueue {
  let spent = 0;
  let coming: NodeJS.Immediate | undefined;
  const waiting: (() => void)[] = [];
  const isOver = () => spent >= max;

  function begin(): void {
    coming = undefined;
    spent = 0;
    // Not all that wait: the first would take every turn.
    while (!isOver()) {
      const proceed = waiting.shift();
      if (!proceed) return;
      proceed();
    }
    coming ??= setImmediate(begin);
  }

  return {
    isOver,
    spend(packets) {
      spent += packets;
      if (spent > 0) coming ??= setImmediate(begin);
    },
    next(proceed) {
      waiting.push(proceed);
      coming ??= setImmediate(begin);
    },
  };
}
