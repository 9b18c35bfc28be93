/**
 * Small packets of all SSH connections together are processed a few at a time, so that other requests to this process wait for
 * no more than these, however many connections there are. Large packets carry packs and do not wait.
 */
export interface PacketQueue {
  /** Records how many were processed. */
  spend(packets: number): void;
  /** Whether this turn has used up its share. */
  isOver(): boolean;
  /** Calls back in a later turn, after those that already wait. */
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
    // Not all that wait, or the first would take every turn.
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
