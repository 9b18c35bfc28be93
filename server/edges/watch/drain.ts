/** Waits for a socket's backlog to shrink, by what it has sent rather than by a timer. */
import type { WebSocket } from "ws";

export interface SocketDrain {
  /** To be called when the socket has sent something. */
  sent(): void;
  /** Ends all waiting. */
  release(): void;
  /** Resolves when less than this waits to be sent, and at once if the socket is not open. */
  below(bytes: number): Promise<void>;
}

export function createDrain(socket: WebSocket): SocketDrain {
  let waiter: PromiseWithResolvers<void> | undefined;
  const release = () => {
    waiter?.resolve();
    waiter = undefined;
  };
  return {
    sent: release,
    release,
    async below(bytes) {
      while (socket.readyState === socket.OPEN && socket.bufferedAmount >= bytes) {
        waiter ??= Promise.withResolvers<void>();
        await waiter.promise;
      }
    },
  };
}
