/**
 * Limits unsent data of one SSH connection. The library accepts whatever fits into the client's window, however large that is
 * and however slowly the client reads, and buffers it while keys are exchanged again; a client that grants gigabytes and reads
 * none must not cost us gigabytes of memory.
 */
import type { Socket } from "node:net";
import type { Connection } from "ssh2";

export interface SendWindow {
  /** Records bytes that were handed to the library. */
  sent(bytes: number): void;
  /** Resolves when there is room again, or the signal aborts. */
  room(gone: AbortSignal): Promise<void>;
}

const maxUnderWayBytes = 256 * 1024;

export function createSendWindow(client: Connection, socket: Socket): SendWindow {
  let handedOn = 0;
  let flushedBefore = 0;

  /** Encryption adds bytes, so more may be flushed than was recorded; the surplus is ignored. */
  function underWay(): number {
    const flushed = socket.bytesWritten - socket.writableLength - flushedBefore;
    if (flushed <= handedOn) return handedOn - flushed;
    flushedBefore += flushed;
    handedOn = 0;
    return 0;
  }

  return {
    sent(bytes) {
      underWay();
      handedOn += bytes;
    },
    async room(gone) {
      while (!gone.aborted && underWay() > maxUnderWayBytes) await moved(client, socket, gone);
    },
  };
}

/** The socket has taken what waited, new keys are in use, or nobody waits any more. */
function moved(client: Connection, socket: Socket, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      client.off("rekey", done);
      gone.removeEventListener("abort", done);
      resolve();
    };
    socket.on("drain", done);
    client.on("rekey", done);
    gone.addEventListener("abort", done);
  });
}
