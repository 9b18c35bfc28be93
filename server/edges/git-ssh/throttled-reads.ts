/**
 * Hands what a client sends to the SSH library piece by piece, as fast as its budget allows. Meanwhile nothing is read from the
 * network, so the sender of a flood has to wait.
 */
import type { Socket } from "node:net";
import type { PacketQueue } from "./packet-queue.ts";

export interface ReadThrottle {
  /** How much of the received data may be passed on at once. */
  pieceBytes(): number;
  /** Records what was passed on. */
  passed(bytes: number): void;
  /** How long until more may be passed on; 0 for now. */
  waitMs(): number;
}

export function throttleReads(socket: Socket, meter: ReadThrottle, turns: PacketQueue): void {
  const emit = socket.emit.bind(socket);
  let rest: Buffer | undefined;
  let timer: NodeJS.Timeout | undefined;
  socket.once("close", () => {
    rest = undefined;
    clearTimeout(timer);
  });

  /** False if the rest has to wait. */
  function passOn(): boolean {
    while (rest) {
      const waitMs = meter.waitMs();
      if (waitMs > 0) {
        timer = setTimeout(resume, waitMs);
        return false;
      }
      if (turns.isOver()) {
        turns.next(resume);
        return false;
      }
      const piece: Buffer = rest.subarray(0, meter.pieceBytes());
      rest = piece.length < rest.length ? rest.subarray(piece.length) : undefined;
      emit("data", piece);
      meter.passed(piece.length);
    }
    return true;
  }

  function resume(): void {
    if (!socket.destroyed && passOn()) socket.resume();
  }

  socket.emit = (event: string | symbol, ...given: unknown[]) => {
    if (event !== "data") return emit(event as "end", ...(given as []));
    const isWaiting = rest !== undefined;
    const chunk = given[0] as Buffer;
    rest = rest ? Buffer.concat([rest, chunk]) : chunk;
    if (isWaiting || !passOn()) socket.pause();
    return true;
  };
}
