/**
 * Output of a program in one buffer that is used again and again. What is read as a stream is new memory for each piece, outside
 * of the heap: 16 MiB of it are a full garbage collection, of which one large clone then costs several.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Resolves when the piece is not needed any more; it is overwritten then. */
export type TakePiece = (piece: Buffer) => Promise<unknown>;

export interface Pieces {
  socket: Socket;
  /** Resolves when there is no more output. Rejects when `take` does; the output is then closed. To be called once. */
  read(take: TakePiece): Promise<void>;
  /** Whatever comes is dropped, unless somebody reads. */
  drop(): void;
}

const pieceBytes = 64 * 1024;

export function connectPieces(address: string): Pieces {
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  let taker: TakePiece | undefined;
  let problem: Error | undefined;

  function hand(size: number): boolean {
    if (!taker) return true;
    taker(buffer.subarray(0, size)).then(
      () => socket.resume(),
      (error: Error) => {
        problem = error;
        socket.destroy();
      },
    );
    return false;
  }

  const socket = connect({ path: address, onread: { buffer, callback: hand } });
  socket.pause();
  return {
    socket,
    async read(take) {
      taker = take;
      const closed = socket.closed ? undefined : once(socket, "close");
      socket.resume();
      await closed?.catch(() => undefined);
      if (problem) throw problem;
    },
    drop: () => taker ?? socket.resume(),
  };
}
